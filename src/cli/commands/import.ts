import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { EventRecord } from '../../data/event-record.ts';
import { awaitLive } from '../../service/datasets/await-live.ts';
import type { DatasetVersion } from '../../service/datasets/dataset-version.ts';
import { makeVersion } from '../../service/datasets/make-version.ts';
import { stringifyLine, toEventLine, toPersonLine } from '../../service/datasets/record-lines.ts';
import { checkFolderMode } from '../../service/storage/files.ts';
import { formatRecordCount } from '../../service/store/assert-flushed.ts';
import { openStore } from '../../service/store/open-store.ts';
import { RECORD_KINDS, type RecordKind, type Store } from '../../service/store/store.ts';
import { explainSystemError, InputError } from '../input/input-error.ts';
import { readEvents } from '../input/read-events.ts';
import { getFileName } from '../input/read-file.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { printMessage } from '../messages.ts';
import { detectDatabase } from '../query/detect-database.ts';
import { readParquetLines } from '../query/parquet.ts';
import { getFileSize, Progress } from '../terminal/progress.ts';

export interface ImportOptions extends Readonly<Record<string, unknown>> {
  readonly project: string;
  /** The `dataset_id`. */
  readonly dataset: string;
}

const NOT_YET = 'The server did not make it live within 30 seconds. See the log of the server.';

/** The number of records per append to the log. */
const BATCH = 10_000;

/** Imports files as a new live version of a dataset: all records or, if one cannot be stored, none. */
export async function importFiles(
  io: Io,
  files: readonly string[],
  { project, dataset, ...flags }: ImportOptions,
): Promise<void> {
  const configuration = await loadConfiguration(io, flags);
  const { data } = configuration;
  const warning = await checkFolderMode(data);
  if (warning !== undefined) printMessage(io, 'warning', warning);
  const progress = await Progress.over(io, files);
  let stored = '';
  try {
    const destination = { project, datasetId: dataset };
    const versionId = await makeVersion(
      data,
      destination,
      (temporaryFolder) => openStore(configuration, temporaryFolder),
      ({ kind }) => printMessage(io, 'warning', kind),
      async (version, store) => {
        for (const file of files) await new FileImport(io, file, version.folder, version, store, progress).run();
        await version.process(store);
        stored = await describeStored(store, version);
      },
    );
    progress.clear();
    const made = `${stored} in ${project}/${dataset}, version ${versionId}`;
    const isLive = await awaitLive(data, destination, versionId);
    await io.out.print([isLive ? `${made}, which is live.` : `${made}. ${NOT_YET}`]);
  } finally {
    progress.clear();
  }
}

async function describeStored(store: Store, { stored }: DatasetVersion): Promise<string> {
  const flushed = await store.readFlushed(stored);
  const kinds = RECORD_KINDS.filter((kind) => flushed[kind].records > 0);
  if (kinds.length === 0) throw new InputError('Nothing to import: the files have no records');
  return kinds.map((kind) => formatRecordCount(kind, flushed[kind].records)).join(' and ');
}

/** Imports one file into a version. */
class FileImport {
  private readonly lines: Record<RecordKind, string[]> = { events: [], people: [] };
  private records = 0;

  constructor(
    private readonly io: Io,
    private readonly file: string,
    /** A folder for temporary files. */
    private readonly folder: string,
    private readonly version: DatasetVersion,
    private readonly store: Store,
    private readonly progress: Progress,
  ) {}

  async run(): Promise<void> {
    const { file } = this;
    if (!(await isParquet(file))) return this.read(file);
    const lines = join(this.folder, 'parquet.ndjson');
    await pipeline(readParquetLines(file), createWriteStream(lines));
    await this.read(lines);
    await rm(lines);
  }

  private async read(path: string): Promise<void> {
    const { io, file, progress } = this;
    if (await this.load(path)) return;
    const batches = readEvents(io, path, {
      onBroken: ({ line, reason }) => refuse(file, line, `${reason}.`),
      onBytes: (bytes) => progress.bytes(bytes),
    });
    for await (const { records } of batches) {
      for (const record of records) this.add(record);
      for (const kind of RECORD_KINDS) if (this.lines[kind].length >= BATCH) await this.append(kind);
      progress.show(this.records);
    }
    for (const kind of RECORD_KINDS) await this.append(kind);
  }

  /** Lets the store read the file itself. Returns false if the store cannot. */
  private async load(path: string): Promise<boolean> {
    const { version, store, progress } = this;
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

  private add(record: EventRecord): void {
    const [kind, line] = toLogLine(record);
    if (typeof line === 'string') refuse(this.file, record.line, line);
    this.lines[kind].push(stringifyLine(line));
    this.records++;
  }

  private async append(kind: RecordKind): Promise<void> {
    await this.version.append(kind, this.lines[kind]);
    this.lines[kind] = [];
  }
}

async function isParquet(file: string): Promise<boolean> {
  try {
    return file !== '-' && (await detectDatabase(file)) === 'parquet';
  } catch (error) {
    throw explainSystemError(error, file);
  }
}

/**
 * Returns the kind and the log line of a record, or why it cannot be stored. Profiles and updates of profiles are
 * people; all other records are events.
 */
function toLogLine({ user, event, properties, distinctId }: EventRecord) {
  if (user !== undefined) return ['people', toPersonLine({ $distinct_id: distinctId, $set: user })] as const;
  if (event === undefined && Object.hasOwn(properties, '$distinct_id'))
    return ['people', toPersonLine(properties)] as const;
  return ['events', toEventLine({ event, properties })] as const;
}

function refuse(file: string, line: number, reason: string): never {
  throw new InputError(`${getFileName(file)}:${line}: ${reason} Nothing was imported.`);
}
