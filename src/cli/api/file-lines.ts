import type { EventBatch, EventRecord } from '../../data/event-record.ts';
import { makesProperties, ROLES } from '../../data/field-mapping.ts';
import { parseRecord } from '../../data/parse-records.ts';
import { peekRecords } from '../../data/peek-records.ts';
import type { PropertyRead } from '../../lang/check/check.ts';
import type { EventLine, PersonLine } from '../../service/store/log-line.ts';
import { areFieldsSet, isShapeKnown } from '../choose-fields.ts';
import type { ReadingOptions } from '../commands/import.ts';
import { createImportReader, type ImportReader, isPerson } from '../input/import-records.ts';
import { adviseEncoding, InputError } from '../input/input-error.ts';
import { LineReader, listRecords } from '../input/line-reader.ts';
import type { LineWalker } from '../input/line-walker.ts';
import { explainFailure, getFileName, readFile } from '../input/read-file.ts';
import type { LineBlock } from '../input/split-line-blocks.ts';
import type { Io } from '../io.ts';
import { printMessage } from '../messages.ts';
import { Progress } from '../terminal/progress.ts';
import type { PlainEvents } from './plain-events.ts';

/** Takes the records of files as an import stores them. */
interface LineVisitor {
  addEvent(line: EventLine): void;
  /** Returns what adds events from where a walker finds them. */
  createPlainEvents?(walker: LineWalker): PlainEvents;
  addPerson?(line: PersonLine): void;
  /** Is called after each batch. Returns whether to stop. */
  isDone?(): boolean;
}

/** The fields of every event, and those that tell events from people. */
const FIELDS = ['event', 'time', 'distinct_id', '$distinct_id', '$insert_id'];

/** An import drops this property. */
const TOKEN = 'token';

/** Reads the events and people of files, once or several times. An event that is sent twice is read once. */
export class FileLines {
  /** For each file that was read before, what converts its records. */
  private readonly converters = new Map<string, ImportReader>();

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
   * @param reads the properties that events need, all if undefined; people have all of theirs
   * @throws {InputError} if a file cannot be read, or has anything else than events and people
   */
  async read(reads: readonly PropertyRead[] | undefined, visitor: LineVisitor): Promise<number> {
    const { io, files } = this;
    const progress = await Progress.over(io, files);
    const insertIds = new Set<string>();
    const isRepeated = (id: string | undefined) => id !== undefined && insertIds.size === insertIds.add(id).size;
    let records = 0;
    const add = (file: string, convert: ImportReader, record: EventRecord): void => {
      let [kind, line] = convert(record);
      // Messages show what was not read, and people need it.
      if (reads !== undefined && (typeof line === 'string' || isPerson(record)))
        [kind, line] = convert(readWhole(record));
      if (typeof line === 'string') refuse(file, record.line, line);
      records++;
      if (kind === 'people') visitor.addPerson?.(line as PersonLine);
      else if (!isRepeated((line as EventLine).insert_id)) visitor.addEvent(line as EventLine);
    };
    const takeFrom = (plain: PlainEvents): boolean => {
      if (!plain.read()) return false;
      records++;
      if (!isRepeated(plain.insertId)) plain.add();
      return true;
    };
    try {
      for (const file of files) {
        const before = records;
        try {
          const { convert, parts } = await this.open(file, progress);
          const reader = new LineReader(reads && this.listNames(reads, convert));
          const isPlain = reads !== undefined && this.isPlain(reads, convert);
          const plain = isPlain && reader.walker ? visitor.createPlainEvents?.(reader.walker) : undefined;
          const take = plain && (() => takeFrom(plain));
          for await (const part of parts) {
            readPart(part, reader, file, (record) => add(file, convert, record), take);
            progress.show(records);
            if (visitor.isDone?.()) return records;
          }
        } catch (error) {
          throw explainFailure(error, file, records - before);
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
    const parts = readFile(io, file, {
      ...options,
      onBroken: ({ line, reason }) => refuse(file, line, `${adviseEncoding(reason)}.`),
      onNote: (note) => {
        progress.clear();
        if (known === undefined) printMessage(io, 'note', note);
      },
      onBytes: (bytes) => progress.bytes(bytes),
    });
    if (known !== undefined) return { convert: known, parts };
    const peeked = await peekRecords(parts, listRecords, (found) => !areFieldsSet(options) && isShapeKnown(found));
    const convert = createImportReader(io, peeked.records, options);
    converters.set(file, convert);
    return { convert, parts: peeked.all() };
  }

  /** Returns the names that lines are searched for; undefined if a property is made of several. */
  private listNames(reads: readonly PropertyRead[], { fields }: ImportReader): readonly string[] | undefined {
    if (makesProperties({ fields, flatten: this.options.flatten })) return undefined;
    return [...FIELDS, ...reads.map(({ name }) => name), ...ROLES.flatMap((role) => fields[role]?.column ?? [])];
  }

  /** Returns whether an import would store events as they are, with their fields in their standard places. */
  private isPlain(reads: readonly PropertyRead[], { fields }: ImportReader): boolean {
    const { options } = this;
    if (options.withEvent || areFieldsSet(options) || reads.some(({ name }) => name === TOKEN)) return false;
    return ROLES.every((role) => fields[role] === undefined);
  }
}

/** Reads the records of a part, except lines that are taken. */
function readPart(
  part: EventBatch | LineBlock,
  reader: LineReader,
  file: string,
  add: (record: EventRecord) => void,
  take: (() => boolean) | undefined,
): void {
  if ('records' in part) {
    part.records.forEach(add);
    return;
  }
  reader.open(part, reader.line);
  for (let found = reader.next(take); found !== undefined; found = reader.next(take)) {
    if ('reason' in found) refuse(file, found.line, `${adviseEncoding(found.reason)}.`);
    add(found);
  }
  part.memory?.give(part.bytes);
}

/** Returns a record with all of its properties. */
function readWhole(record: EventRecord): EventRecord {
  const whole = parseRecord(record.text(), record.line);
  return typeof whole === 'string' ? record : whole;
}

function refuse(file: string, line: number, reason: string): never {
  throw new InputError(`${getFileName(file)}:${line}: ${reason}`);
}
