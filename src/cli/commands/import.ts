import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FormatOptions } from '../../data/file-format.ts';
import { peekRecords } from '../../data/peek-records.ts';
import { stringifyLine } from '../../service/datasets/imports/record-lines.ts';
import { awaitLive } from '../../service/datasets/versions/await-live.ts';
import type { DatasetVersion } from '../../service/datasets/versions/dataset-version.ts';
import { type Destination, makeVersion } from '../../service/datasets/versions/make-version.ts';
import type { Configuration } from '../../service/server/settings/settings.ts';
import { checkFolderMode } from '../../service/storage/files.ts';
import { formatRecordCount } from '../../service/store/assert-flushed.ts';
import { openStore } from '../../service/store/open-store.ts';
import { RECORD_KINDS, type RecordKind, type Store } from '../../service/store/store.ts';
import { areFieldsSet, type FieldOptions, isShapeKnown } from '../choose-fields.ts';
import { expandFiles } from '../input/expand-files.ts';
import { createImportReader } from '../input/import-records.ts';
import { adviseEncoding, explainSystemError, InputError } from '../input/input-error.ts';
import { listRecords } from '../input/line-reader.ts';
import { readEvents } from '../input/read-events.ts';
import { getFileName } from '../input/read-file.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { printMessage } from '../messages.ts';
import { type DatabaseKind, detectDatabase } from '../query/detect-database.ts';
import { readTableLines } from '../query/read-table-lines.ts';
import { getFileSize, Progress } from '../terminal/progress.ts';

/** How to read the files to import. */
export type ReadingOptions = FormatOptions & FieldOptions;

export interface ImportOptions extends Readonly<Record<string, unknown>>, ReadingOptions {
  readonly project: string;
  /** The `dataset_id`. */
  readonly dataset: string;
  readonly json?: true;
}

const NOT_YET = 'The server did not make it live within 30 seconds. See the log of the server.';

/** The number of records per append to the log. */
const BATCH = 10_000;

/** Imports files as a new live version of a dataset: all records or, if one cannot be stored, none. */
export async function importFiles(
  io: Io,
  names: readonly string[],
  { project, dataset, json, ...options }: ImportOptions,
): Promise<void> {
  const configuration = await loadConfiguration(io, options);
  const { data } = configuration;
  const warning = await checkFolderMode(data);
  if (warning !== undefined) printMessage(io, 'warning', warning);
  const destination = { project, datasetId: dataset };
  const { versionId, counts } = await importRecords(io, names, configuration, destination, options);
  const made = `${describeCounts(counts)} in ${project}/${dataset}, version ${versionId}`;
  const isLive = await awaitLive(data, destination, versionId);
  const described = { project, dataset_id: dataset, version_id: versionId, live: isLive, ...counts };
  const text = isLive ? `${made}, which is live.` : `${made}. ${NOT_YET}`;
  await io.out.print([json ? JSON.stringify(described) : text]);
}

/** Makes a version from files, and returns its id and the number of its records. */
export async function importRecords(
  io: Io,
  names: readonly string[],
  configuration: Configuration,
  destination: Destination,
  options: ReadingOptions,
): Promise<{ readonly versionId: string; readonly counts: StoredCounts }> {
  const files = await expandFiles(names, (note) => printMessage(io, 'note', note));
  const progress = await Progress.over(io, files);
  const { memoryLimit } = configuration;
  let counts: StoredCounts = { events: 0, people: 0 };
  try {
    const versionId = await makeVersion(
      configuration.data,
      destination,
      (files) => openStore(configuration, files),
      ({ kind }) => printMessage(io, 'warning', kind),
      async (version, store) => {
        for (const file of files)
          await new FileImport(io, file, { ...options, memoryLimit }, version.folder, version, store, progress).run();
        await version.process(store);
        counts = await countStored(store, version);
        while (await store.optimize?.(version.stored)) {}
      },
    );
    return { versionId, counts };
  } finally {
    progress.clear();
  }
}

type StoredCounts = Readonly<Record<RecordKind, number>>;

async function countStored(store: Store, { stored }: DatasetVersion): Promise<StoredCounts> {
  const { events, people } = await store.readFlushed(stored);
  if (events.records + people.records === 0) throw new InputError('Nothing to import: the files have no records');
  return { events: events.records, people: people.records };
}

function describeCounts(counts: StoredCounts): string {
  const kinds = RECORD_KINDS.filter((kind) => counts[kind] > 0);
  return kinds.map((kind) => formatRecordCount(kind, counts[kind])).join(' and ');
}

/** Imports one file into a version. */
class FileImport {
  private readonly lines: Record<RecordKind, string[]> = { events: [], people: [] };
  private records = 0;

  constructor(
    private readonly io: Io,
    private readonly file: string,
    private readonly options: ReadingOptions,
    /** A folder for temporary files. */
    private readonly folder: string,
    private readonly version: DatasetVersion,
    private readonly store: Store,
    private readonly progress: Progress,
  ) {}

  async run(): Promise<void> {
    const { file } = this;
    const kind = await detectKind(file, this.options);
    if (kind === undefined) return this.read(file);
    const lines = join(this.folder, 'table.ndjson');
    await pipeline(readTableLines(file, kind, this.options), createWriteStream(lines));
    await this.read(lines);
    await rm(lines);
  }

  private async read(path: string): Promise<void> {
    const { io, file, progress, options } = this;
    if (await this.load(path)) return;
    const batches = readEvents(io, path, {
      delimiter: options.delimiter,
      encoding: options.encoding,
      records: options.records,
      columns: options.columns,
      header: options.header,
      decimal: options.decimal,
      onBroken: ({ line, reason }) => refuse(file, line, `${adviseEncoding(reason)}.`),
      onNote: (note) => {
        progress.clear();
        printMessage(io, 'note', note);
      },
      onBytes: (bytes) => progress.bytes(bytes),
    });
    const peeked = await peekRecords(batches, listRecords, (found) => !areFieldsSet(options) && isShapeKnown(found));
    const convert = createImportReader(io, peeked.records, options);
    for await (const { records } of peeked.all()) {
      for (const record of records) {
        const [kind, line] = convert(record);
        if (typeof line === 'string') refuse(file, record.line, line);
        this.lines[kind].push(stringifyLine(line));
        this.records++;
      }
      for (const kind of RECORD_KINDS) if (this.lines[kind].length >= BATCH) await this.append(kind);
      progress.show(this.records);
    }
    for (const kind of RECORD_KINDS) await this.append(kind);
  }

  /** Lets the store read the file itself. Returns false if the store cannot. */
  private async load(path: string): Promise<boolean> {
    const { version, store, progress, options } = this;
    const { encoding, delimiter, records, columns, decimal, header } = options;
    const isFormatSet = [encoding, delimiter, records, columns, decimal].some((set) => set !== undefined);
    if (isFormatSet || header === false || areFieldsSet(options)) return false;
    const size = path === '-' ? undefined : await getFileSize(path);
    if (size === undefined || store.loadFile === undefined) return false;
    let reported = 0;
    const onProgress = (share: number) => {
      progress.bytes(share * size - reported);
      progress.show();
      reported = share * size;
    };
    return store.loadFile(version.stored, path, { onProgress });
  }

  private async append(kind: RecordKind): Promise<void> {
    await this.version.append(kind, this.lines[kind]);
    this.lines[kind] = [];
  }
}

async function detectKind(file: string, options: FormatOptions): Promise<DatabaseKind | undefined> {
  try {
    return file === '-' ? undefined : await detectDatabase(file, options);
  } catch (error) {
    throw explainSystemError(error, file);
  }
}

function refuse(file: string, line: number, reason: string): never {
  throw new InputError(`${getFileName(file)}:${line}: ${reason} Nothing was imported.`);
}
