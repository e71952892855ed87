import { Readable } from 'node:stream';
import { createFullAccess } from '../../queries/access.ts';
import { readAnswer } from '../../queries/answer-stream.ts';
import { answerEndpoint } from '../../queries/endpoints/answer-endpoint.ts';
import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import { exportEvents } from '../../queries/in-memory/export.ts';
import type { MemoryContext } from '../../queries/in-memory/memory-context.ts';
import { assertWholeFile, createMemoryServices } from '../../queries/in-memory/memory-services.ts';
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
    const { timeZone } = this;
    const { readProperties, ...records } = this.records;
    const context: MemoryContext = { ...records, timeZone, now: this.clock() };
    const services: Services = {
      ...createMemoryServices(context),
      async exportEvents({ filter }, request) {
        assertWholeFile(filter);
        if (readProperties === undefined) throw new Error('the properties of the events were not kept');
        return exportEvents(context, request, readProperties);
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

  async lines(path: string, parameters: QueryParameters): Promise<AsyncIterable<string>> {
    return Readable.from([await this.query(path, parameters)]);
  }
}
