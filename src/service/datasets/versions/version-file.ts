import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isJsonObject } from '../../../base/json.ts';
import { parseChecked, stringifyChecked } from '../../storage/checked-json.ts';
import { isOutOfFiles, replaceFile } from '../../storage/files.ts';
import type { FolderHold } from '../../storage/folder-hold.ts';
import type { FlushedRecords, RecordKind } from '../../store/store.ts';
import { UNSET } from './version.ts';
import type { VersionRecord } from './version-record.ts';

/** The file in a version's folder that holds its record. */
export const VERSION_FILE = 'version.json';

/** The record of a version. If the file cannot be read, a guess and the problem. */
export interface VersionFile {
  readonly record: VersionRecord;
  readonly problem?: string;
}

/** Writes the record of a version durably. */
export async function writeVersionFile(folder: string, record: VersionRecord, hold?: FolderHold): Promise<void> {
  await replaceFile(join(folder, VERSION_FILE), stringifyChecked(toStored(record)), hold);
}

/**
 * Reads the record of the version in a folder; undefined if it is still being created, or is gone.
 *
 * An unreadable version may be live, so its guessed record is live and no query falls back to an older one. Its age is
 * the last change of its folder.
 */
export async function readVersionFile(folder: string): Promise<VersionFile | undefined> {
  const versionId = basename(folder);
  try {
    return { record: parse(await readFile(join(folder, VERSION_FILE), 'utf8'), versionId) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (isOutOfFiles(error)) throw error;
    if (code === 'ENOENT' && (await isBare(folder))) return undefined;
    const problem =
      code === 'ENOENT' ? `its ${VERSION_FILE} is missing` : `its ${VERSION_FILE} cannot be read: ${message}`;
    const changed = (await stat(folder)).mtime.toISOString();
    const state = { readable: true, readableAt: UNSET, writable: false, live: true, readyAt: UNSET };
    return { record: { versionId, createdAt: changed, ...state }, problem };
  }
}

/** Removes the folder of a version that never got beyond the start of its record. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (name.endsWith('.tmp')) await rm(join(folder, name), { force: true });
  // Other content is kept.
  await rmdir(folder).catch(() => undefined);
}

/** Returns whether a folder has no files except those being written. */
async function isBare(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).every((name) => name.endsWith('.tmp'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** A record as JSON. The keys `settled` and `segment` are what existing data folders have, so they keep their names. */
type StoredRecord = Omit<VersionRecord, 'flushed'> & { readonly settled?: StoredFlushed };

type StoredFlushed = Readonly<Record<RecordKind, { readonly records: number; readonly segment: string }>>;

function toStored({ flushed, ...rest }: VersionRecord): StoredRecord {
  if (flushed === undefined) return rest;
  const of = ({ records, lastFile }: FlushedRecords) => ({ records, segment: lastFile });
  return { ...rest, settled: { events: of(flushed.events), people: of(flushed.people) } };
}

function fromStored({ settled, ...rest }: StoredRecord): VersionRecord {
  if (settled === undefined) return rest;
  const of = ({ records, segment }: StoredFlushed['events']) => ({ records, lastFile: segment });
  return { ...rest, flushed: { events: of(settled.events), people: of(settled.people) } };
}

function parse(text: string, versionId: string): VersionRecord {
  const json: unknown = JSON.parse(text);
  const isOld = isRecord(json, versionId) && !('crc32' in json) && !('settled' in json) && !('logs' in json);
  const stored = isOld ? json : parseChecked(text);
  if (isRecord(stored, versionId)) return fromStored(stored);
  throw new Error('it is not the record of this version');
}

const TIMES = ['createdAt', 'readableAt', 'readyAt'];
const FLAGS = ['readable', 'writable', 'live'];

function isRecord(json: unknown, versionId: string): json is StoredRecord {
  if (!isJsonObject(json) || json.versionId !== versionId) return false;
  const areTimes = TIMES.every((name) => !Number.isNaN(Date.parse(String(json[name]))));
  return areTimes && FLAGS.every((name) => typeof json[name] === 'boolean');
}
