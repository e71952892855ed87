import { Writable } from 'node:stream';
import { EVENT_PROPERTY } from '../../data/field-mapping.ts';
import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import { listReads } from '../api/list-reads.ts';
import type { ServiceApi } from '../api/service-api.ts';
import { type ApiOptions, withApi } from '../api/with-api.ts';
import { describeFailureAsJson } from '../describe-failure.ts';
import type { Io } from '../io.ts';
import { OutputStream } from '../terminal/output-stream.ts';
import { type DataDescription, describeFiles, describeProject } from './describe-place.ts';

/** The files, or the project of a server or a data folder, that a server of tools reads: plain data for a thread. */
export interface DataPlace {
  readonly files: readonly string[];
  readonly options: ApiOptions;
}

/** Work on the data of a place, as plain data for a thread. */
export type DataTask =
  | { readonly kind: 'describe' }
  | { readonly kind: 'query'; readonly path: string; readonly parameters: QueryParameters }
  | { readonly kind: 'sample'; readonly parameters: QueryParameters; readonly limit: number };

/** The answer of a query. */
interface QueryAnswer {
  /** The parameters that ran, with those that the data stood in for. */
  readonly parameters: QueryParameters;
  readonly answer: unknown;
}

/** Raw events, in order of time. */
interface EventSample {
  readonly events: readonly unknown[];
  /** Whether the filter selects more. */
  readonly hasMore: boolean;
}

interface TaskResults {
  readonly describe: DataDescription;
  readonly query: QueryAnswer;
  readonly sample: EventSample;
}

export type ResultOf<Task extends DataTask> = TaskResults[Task['kind']];

/** The result or the failure of a task, and the lines that it would print on standard error. */
export interface TaskOutcome<Result = unknown> {
  readonly result?: Result;
  readonly failure?: { readonly exit: number; readonly message: string };
  readonly notes: readonly string[];
}

/** Runs a task. Never rejects. */
export type RunTask = <Task extends DataTask>(task: Task) => Promise<TaskOutcome<ResultOf<Task>>>;

/** Runs a task in this thread. */
export async function runDataTask<Task extends DataTask>(
  io: Io,
  place: DataPlace,
  task: Task,
): Promise<TaskOutcome<ResultOf<Task>>> {
  const printed = new PrintedLines();
  const quiet: Io = Object.create(io, {
    err: { value: new OutputStream(printed, {}) },
    out: { value: new OutputStream(new PrintedLines(), {}) },
  });
  try {
    return { result: (await runTask(quiet, place, task)) as ResultOf<Task>, notes: printed.lines };
  } catch (error) {
    const { text = '{}' } = describeFailureAsJson(error);
    return { failure: JSON.parse(text).error, notes: printed.lines };
  }
}

function runTask(io: Io, { files, options }: DataPlace, task: DataTask): Promise<TaskResults[keyof TaskResults]> {
  switch (task.kind) {
    case 'describe':
      return files.length > 0
        ? describeFiles(io, files, options)
        : withApi(io, files, { ...options, reads: [] }, describeProject);
    case 'query': {
      const { path, parameters } = task;
      const reads = listReads(path, parameters);
      const withEvent = reads.some(({ name }) => name === EVENT_PROPERTY);
      return withApi(io, files, { ...options, reads, withEvent }, (api) => runQuery(api, path, parameters));
    }
    case 'sample': {
      const reads = listReads('/export', task.parameters);
      return withApi(io, files, { ...options, reads, keepsWhole: true, withEvent: false }, (api) =>
        readSample(api, task.parameters, task.limit),
      );
    }
  }
}

async function runQuery(api: ServiceApi, path: string, given: QueryParameters): Promise<QueryAnswer> {
  const parameters = (await api.complete?.(path, given)) ?? given;
  return { parameters, answer: JSON.parse(await api.query(path, parameters)) };
}

async function readSample(api: ServiceApi, parameters: QueryParameters, limit: number): Promise<EventSample> {
  const events: unknown[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of await api.lines('/export', parameters)) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // Leaving the loop ends the export.
      if (events.length === limit) return { events, hasMore: true };
      events.push(JSON.parse(line));
    }
  }
  return { events, hasMore: false };
}

/** More lines on standard error are not kept. */
const MAX_LINES = 50;

/** Keeps what commands print, as lines. */
class PrintedLines extends Writable {
  private text = '';

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk;
    done();
  }

  get lines(): readonly string[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .slice(0, MAX_LINES);
  }
}
