import { BrokenRecords } from './broken-records.ts';
import { UsageError } from './exit.ts';
import { InputError } from './input/input-error.ts';
import { type BrokenRecord, explainFailure, nameOf, readFile } from './input/read-file.ts';
import { Progress } from './progress.ts';
import { RecordError } from './record-error.ts';
import { warn, warnOfMissing } from './say.ts';
import { type Answer, Share } from './work/share.ts';
import type { Kind, Parts, Task } from './work/task.ts';

/** Takes what a task makes of the records, in their order. */
export interface Sink<Part> {
  part(part: Part): void;
  /** Takes the header row of a CSV file, before the records under it. */
  header?(text: string): void;
  /** Waits until more can be taken, where what is taken is printed along the way. */
  ready?(): Promise<void>;
}

/**
 * Does a task on the records of the files, or of standard input where there are none.
 *
 * @throws {RecordError} for a type error, {@link InputError} for a file that cannot be read or, if strict, is broken.
 */
export async function scan<K extends Kind>(
  files: readonly string[],
  task: Task<K>,
  sink: Sink<Parts[K]>,
): Promise<void> {
  const share = new Share(task);
  for (const expression of share.expressions) warn(expression);
  if (files.length === 0 && process.stdin.isTTY) throw new UsageError('Name an event file, or pipe events in.');
  const inputs = files.length === 0 ? ['-'] : files;
  // What is printed along the way shows how far it has come, and must not run into another line.
  const progress = sink.ready && process.stdout.isTTY ? Progress.none : await Progress.over(inputs);
  const scanning = new Scanning(share, sink, progress, task.strict === true);
  try {
    for (const file of inputs) await scanning.read(file);
  } finally {
    scanning.end();
  }
  scanning.tell();
}

class Scanning<K extends Kind> {
  private readonly brokenRecords = new BrokenRecords();
  private readonly lacking = { time: 0, distinct_id: 0 };
  private records = 0;

  constructor(
    private readonly share: Share<K>,
    private readonly sink: Sink<Parts[K]>,
    private readonly progress: Progress,
    private readonly strict: boolean,
  ) {}

  async read(file: string): Promise<void> {
    const { share, sink, progress } = this;
    const before = this.records;
    let line = 0;
    const reading = {
      onBytes: (count: number) => progress.bytes(count),
      onBroken: (found: BrokenRecord) => this.broken(found),
    };
    try {
      for await (const part of readFile(file, reading)) {
        if ('bytes' in part) {
          const answer = share.onLines(part);
          this.take(answer, file, line);
          line += answer.lines;
        } else {
          if (part.header !== undefined) sink.header?.(part.header);
          this.take(share.onRecords(part.records), file, 0);
        }
        progress.show(this.records);
        await sink.ready?.();
      }
    } catch (error) {
      throw explainFailure(error, file, this.records - before);
    }
  }

  end(): void {
    this.progress.clear();
    this.brokenRecords.tell();
  }

  tell(): void {
    warnOfMissing(this.lacking.time, 'time');
    warnOfMissing(this.lacking.distinct_id, 'distinct_id');
  }

  private take({ part, records, broken, lacking, failure }: Answer<Parts[K]>, file: string, line: number): void {
    for (const found of broken) this.broken({ file: nameOf(file), line: line + found.line, reason: found.reason });
    this.records += records;
    this.lacking.time += lacking.time;
    this.lacking.distinct_id += lacking.distinct_id;
    this.sink.part(part);
    if (failure !== undefined) throw new RecordError(nameOf(file), { ...failure, line: line + failure.line });
  }

  private broken(found: BrokenRecord): void {
    if (this.strict) throw new InputError(`${found.file}:${found.line}: ${found.reason}`);
    this.progress.clear();
    this.brokenRecords.add(found);
  }
}
