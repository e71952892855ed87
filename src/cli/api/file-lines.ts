import { peekRecords } from '../../data/peek-records.ts';
import type { EventLine, PersonLine } from '../../service/store/log-line.ts';
import { areFieldsSet, isShapeKnown } from '../choose-fields.ts';
import type { ReadingOptions } from '../commands/import.ts';
import { createImportReader, type ImportLine } from '../input/import-records.ts';
import { adviseEncoding, InputError } from '../input/input-error.ts';
import { listRecords } from '../input/line-reader.ts';
import { readEvents } from '../input/read-events.ts';
import { getFileName } from '../input/read-file.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { Progress } from '../terminal/progress.ts';

/** Takes the records of files as an import stores them. */
interface LineVisitor {
  addEvent(line: EventLine): void;
  addPerson?(line: PersonLine): void;
  /** Is called after each batch. Returns whether to stop. */
  isDone?(): boolean;
}

/** Reads the events and people of files, once or several times. An event that is sent twice is read once. */
export class FileLines {
  /** For each file that was read before, what converts its records. */
  private readonly converters = new Map<string, ReturnType<typeof createImportReader>>();

  constructor(
    private readonly io: Io,
    private readonly files: readonly string[],
    private readonly options: ReadingOptions,
  ) {}

  /** Whether a file can be read only once. */
  get isStream(): boolean {
    return this.files.includes('-');
  }

  /**
   * Reads all records, in order. Returns their number.
   *
   * @throws {InputError} if a file cannot be read, or has anything else than events and people
   */
  async read(visitor: LineVisitor): Promise<number> {
    const { io, files } = this;
    const progress = await Progress.over(io, files);
    const insertIds = new Set<string>();
    const add = ([kind, line]: ImportLine): string | undefined => {
      if (typeof line === 'string') return line;
      if (kind === 'people') visitor.addPerson?.(line);
      else if (line.insert_id === undefined || !insertIds.has(line.insert_id)) visitor.addEvent(line);
      if (kind === 'events' && line.insert_id !== undefined) insertIds.add(line.insert_id);
      return undefined;
    };
    let records = 0;
    try {
      for (const file of files) {
        const { convert, batches } = await this.open(file, progress);
        for await (const batch of batches) {
          for (const record of batch.records) {
            const problem = add(convert(record));
            if (problem !== undefined) refuse(file, record.line, problem);
          }
          records += batch.records.length;
          progress.show(records);
          if (visitor.isDone?.()) return records;
        }
      }
    } finally {
      progress.clear();
    }
    return records;
  }

  private async open(file: string, progress: Progress) {
    const { io, options, converters } = this;
    const known = converters.get(file);
    const batches = readEvents(io, file, {
      ...options,
      onBroken: ({ line, reason }) => refuse(file, line, `${adviseEncoding(reason)}.`),
      onNote: (note) => {
        progress.clear();
        if (known === undefined) printMessage(io, 'note', note);
      },
      onBytes: (bytes) => progress.bytes(bytes),
    });
    if (known !== undefined) return { convert: known, batches };
    const peeked = await peekRecords(batches, listRecords, (found) => !areFieldsSet(options) && isShapeKnown(found));
    const convert = createImportReader(io, peeked.records, options);
    converters.set(file, convert);
    return { convert, batches: peeked.all() };
  }
}

function refuse(file: string, line: number, reason: string): never {
  throw new InputError(`${getFileName(file)}:${line}: ${reason}`);
}
