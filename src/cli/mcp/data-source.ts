import { stat } from 'node:fs/promises';
import type { Schema } from '../../lang/check/schema.ts';
import type { Io } from '../io.ts';
import type { DataPlace, DataTask, ResultOf, RunTask } from './data-task.ts';
import type { DataDescription } from './describe-place.ts';
import { ToolRefusal } from './tool-refusal.ts';

/** Calls that may wait for those before them. */
const MAX_WAITING = 32;

/** A project is described again after so many milliseconds. */
const DESCRIPTION_MS = 60_000;

/** The result of a task, with what commands print on standard error. */
export interface Noted<Result> {
  readonly result: Result;
  readonly notes: readonly string[];
}

/** The data that tools read. One task runs at a time, so that calls cannot fill the memory together. */
export class DataSource {
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();
  private described: { readonly stamp: string; readonly answer: Promise<Noted<DataDescription>> } | undefined;

  constructor(
    private readonly io: Io,
    private readonly place: DataPlace,
    private readonly runTask: RunTask,
  ) {}

  /**
   * Runs a task after those that were asked for before.
   *
   * @throws {ToolRefusal} if it fails, or too many are waiting
   */
  async run<Task extends DataTask>(task: Task): Promise<Noted<ResultOf<Task>>> {
    if (this.waiting >= MAX_WAITING) throw new ToolRefusal('The server is busy with other calls. Call the tool again.');
    this.waiting++;
    const turn = this.last.then(() => this.runTask(task));
    this.last = turn.catch(() => undefined);
    try {
      const { result, failure, notes } = await turn;
      if (failure !== undefined) throw new ToolRefusal(failure.message, { ...failure, exit: undefined, notes });
      return { result: result as ResultOf<Task>, notes };
    } finally {
      this.waiting--;
    }
  }

  /** Describes the data. Reads it again if it may have changed. */
  async describe(): Promise<Noted<DataDescription>> {
    const stamp = await this.readStamp();
    if (this.described?.stamp !== stamp) {
      const answer = this.run({ kind: 'describe' });
      this.described = { stamp, answer };
      // A failure may pass.
      answer.catch(() => {
        this.described = undefined;
      });
    }
    return this.described.answer;
  }

  /** Returns the properties of the data, undefined if not all of them are known. */
  async readSchema(): Promise<Schema | undefined> {
    return (await this.describe()).result.schema;
  }

  async readTimeZone(): Promise<string> {
    return (await this.describe()).result.timeZone;
  }

  /** Returns a string that differs if the data may have changed. */
  private async readStamp(): Promise<string> {
    const { files } = this.place;
    if (files.length === 0) return String(Math.floor(this.io.now() / DESCRIPTION_MS));
    const stamps = files.map((file) => stat(file).then(({ mtimeMs, size }) => `${mtimeMs} ${size}`, String));
    return (await Promise.all(stamps)).join();
  }
}
