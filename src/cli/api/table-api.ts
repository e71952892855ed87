import { createFullAccess } from '../../queries/access.ts';
import { readAnswer } from '../../queries/answer-stream.ts';
import { answerEndpoint } from '../../queries/endpoints/answer-endpoint.ts';
import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import { HttpError } from '../../queries/http-error.ts';
import { createMemoryServices } from '../../queries/in-memory/memory-services.ts';
import type { Services } from '../../queries/services.ts';
import { explainQueryFailure } from './explain-query-failure.ts';
import type { FileRecords } from './file-records.ts';
import type { ServiceApi } from './service-api.ts';

/** Queries the records of files in memory. */
export class TableApi implements ServiceApi {
  /** @param clock returns the time that queries take for the present, in Unix seconds */
  constructor(
    private readonly records: FileRecords,
    private readonly timeZone: string,
    private readonly clock: () => number,
  ) {}

  async query(path: string, parameters: QueryParameters): Promise<string> {
    const { records, timeZone } = this;
    const services: Services = {
      ...createMemoryServices({ ...records, timeZone, now: this.clock() }),
      exportEvents: async () => {
        throw new HttpError(404, 'The events of files are printed by `onwhere filter`.');
      },
    };
    const access = createFullAccess({ id: 1, name: 'files', token: '', timeZone }, 'command');
    // Never aborted: Ctrl-C ends the process.
    const { signal } = new AbortController();
    try {
      return await readAnswer((await answerEndpoint(services, access, path, parameters, signal)).text);
    } catch (error) {
      return explainQueryFailure(error);
    }
  }
}
