import { Readable } from 'node:stream';
import { getCurrentTime } from '../../base/current-time.ts';
import { type Access, createFullAccess } from '../../queries/access.ts';
import { type AnswerStream, type ByteStream, readAnswer } from '../../queries/answer-stream.ts';
import { answerEndpoint } from '../../queries/endpoints/answer-endpoint.ts';
import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import { Catalog } from '../../service/datasets/catalog/catalog.ts';
import { Datasets } from '../../service/datasets/datasets.ts';
import { createServices } from '../../service/server/create-services.ts';
import { createEndpointServices, type ServedParts } from '../../service/server/routes/endpoint-services.ts';
import type { Configuration } from '../../service/server/settings/settings.ts';
import { FolderInUseError } from '../../service/storage/folder-lock.ts';
import { openStore } from '../../service/store/open-store.ts';
import type { StoreSnapshot } from '../../service/store/store-snapshot.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { explainQueryFailure } from './explain-query-failure.ts';
import type { ServiceApi } from './service-api.ts';

/** Queries a project of a data folder that no server has open. */
export class LocalApi implements ServiceApi {
  private constructor(
    private readonly parts: ServedParts,
    private readonly access: Access,
  ) {}

  /**
   * Opens the folder of a project, runs `work` and closes the folder.
   *
   * @param clock Returns the time that queries take for the present, in Unix seconds.
   */
  static async with<Result>(
    io: Io,
    configuration: Configuration,
    name: string,
    work: (api: LocalApi) => Promise<Result>,
    clock = getCurrentTime,
  ): Promise<Result> {
    const { data } = configuration;
    const project = await new Catalog(data).project(name);
    const datasets = await Datasets.open(
      data,
      (files) => openStore(configuration, files),
      ({ kind }) => printMessage(io, 'warning', kind),
    ).catch(explainLock);
    const services = await createServices(datasets, configuration, clock);
    try {
      return await work(new LocalApi(services, createFullAccess(project, 'command')));
    } finally {
      await services.close();
    }
  }

  /** Runs `work` on the newest live versions of the project. */
  read<Result>(work: (snapshot: StoreSnapshot) => Promise<Result>): Promise<Result> {
    return this.parts.datasets.read(this.access, {}, work);
  }

  async query(path: string, parameters: QueryParameters): Promise<string> {
    return this.answer(path, parameters).then(readAnswer).catch(explainQueryFailure);
  }

  async lines(path: string, parameters: QueryParameters): Promise<AsyncIterable<string | Uint8Array>> {
    const answer = await this.answer(path, parameters).catch(explainQueryFailure);
    return typeof answer === 'string' ? Readable.from([answer]) : explainFailures(answer.stream);
  }

  private async answer(path: string, parameters: QueryParameters): Promise<string | AnswerStream> {
    // Never aborted: Ctrl-C ends the process.
    const { signal } = new AbortController();
    return (await answerEndpoint(createEndpointServices(this.parts), this.access, path, parameters, signal)).text;
  }
}

async function* explainFailures(chunks: ByteStream): AsyncGenerator<string | Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    explainQueryFailure(error);
  }
}

function explainLock(error: unknown): never {
  if (!(error instanceof FolderInUseError)) throw error;
  throw new UsageError(`${error.message} To query a running server, pass --server and --secret instead of --project.`);
}
