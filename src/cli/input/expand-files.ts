import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatInteger, pluralize } from '../../base/strings.ts';
import { explainSystemError, InputError } from './input-error.ts';

/** More files are refused: reading a whole disk is a mistake. */
const MAX_FILES = 10_000;

/** The files to read in folders. */
export interface FileKind {
  /** Their name, for messages. */
  readonly what: string;
  /** Matches the names of files with them. */
  readonly extensions: RegExp;
}

const EVENT_FILES: FileKind = {
  what: 'event files',
  extensions: /\.(?:(?:ndjson|jsonl|json|csv|tsv)(?:\.gz|\.zst)?|parquet|duckdb)$/i,
};

const WILDCARD = /[*?[]/;

/** The number of skipped names that a note lists. */
const MAX_NAMED = 3;

/** Files found below a folder, and the paths of the files and folders that were skipped. */
interface Found {
  readonly files: string[];
  readonly skipped: string[];
}

/**
 * Replaces folders by the files of a kind inside them, and patterns such as `logs/*.ndjson` by the files that
 * match, in order. Skips hidden files and `node_modules`, unless the beginning of a pattern names them. Keeps the names
 * of existing files, and `-`.
 *
 * @param onNote Receives the number of files of each folder and pattern, and what was skipped there.
 * @throws {InputError} if nothing matches, or more than 10,000 files do.
 */
export async function expandFiles(
  files: readonly string[],
  onNote: (note: string) => void,
  { what, extensions }: FileKind = EVENT_FILES,
): Promise<string[]> {
  const expanded: string[] = [];
  for (const file of files) {
    const kind = file === '-' ? 'file' : await getKind(file);
    if (kind === 'file' || (kind === undefined && !WILDCARD.test(file))) {
      expanded.push(file);
      continue;
    }
    const found = kind === 'folder' ? await listFolder(file, extensions) : await matchFiles(file);
    const skipped = describeSkipped(found.skipped);
    if (found.files.length === 0) {
      const problem = kind === 'folder' ? `There are no ${what} in ${file}` : `No files match ${file}`;
      throw new InputError(problem + skipped);
    }
    onNote(`${pluralize(found.files.length, 'file')} in ${file}${skipped}`);
    expanded.push(...found.files);
  }
  return expanded;
}

/** Returns whether an argument that could also be the name of an event names files: it exists, or is written like one. */
export async function isFileArgument(word: string): Promise<boolean> {
  if (word === '-' || EVENT_FILES.extensions.test(word) || (await getKind(word)) !== undefined) return true;
  return WILDCARD.test(word) && /[./\\]/.test(word);
}

function describeSkipped(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const more = paths.length - MAX_NAMED;
  return `; skipped ${paths.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${formatInteger(more)} more` : ''}`;
}

async function getKind(file: string): Promise<'file' | 'folder' | undefined> {
  return stat(file).then(
    (stats) => (stats.isDirectory() ? 'folder' : 'file'),
    () => undefined,
  );
}

async function listFolder(folder: string, extensions: RegExp): Promise<Found> {
  const found: Found = { files: [], skipped: [] };
  await walk(folder, '', found, (path, isFolder) => isFolder || extensions.test(path), folder);
  return found;
}

async function matchFiles(pattern: string): Promise<Found> {
  const parts = pattern.split(/[/\\]/);
  const fixed = parts.findIndex((part) => WILDCARD.test(part));
  const folder = parts.slice(0, fixed).join('/') || (pattern.startsWith('/') ? '/' : '');
  const wanted = parts.slice(fixed);
  const found: Found = { files: [], skipped: [] };
  const matches = (path: string, isFolder: boolean) => matchParts(wanted, path.split('/'), isFolder);
  await walk(folder, '', found, matches, pattern);
  return found;
}

/** Collects the files below a folder, sorted by name. `takes` gets paths below the folder, with slashes. */
async function walk(
  root: string,
  below: string,
  found: Found,
  takes: (path: string, isFolder: boolean) => boolean,
  name: string,
): Promise<void> {
  for (const entry of await list(join(root, below) || '.')) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const file = join(root, path);
    // A linked folder could lead back here. Linked files are files.
    const isFolder = entry.isDirectory();
    const isFile = entry.isFile() || (entry.isSymbolicLink() && (await getKind(file)) === 'file');
    if (!takes(path, isFolder)) continue;
    if (isSkipped(entry.name, isFolder)) found.skipped.push(path);
    else if (isFolder) await walk(root, path, found, takes, name);
    else if (isFile) found.files.push(file);
    if (found.files.length + found.skipped.length > MAX_FILES)
      throw new InputError(`${name} has more than ${formatInteger(MAX_FILES)} files. Name a smaller folder`);
  }
}

/** Returns whether a file or folder is hidden or has the packages of Node.js, which are not meant as records. */
function isSkipped(name: string, isFolder: boolean): boolean {
  return name.startsWith('.') || (isFolder && name === 'node_modules');
}

async function list(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    // A folder that is missing has no files that match.
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return [];
    throw explainSystemError(error, folder);
  }
}

/** Returns whether a path matches the parts of a pattern or, for a folder, whether something in it could. */
function matchParts(pattern: readonly string[], path: readonly string[], isFolder: boolean): boolean {
  const [part, ...others] = pattern;
  const [name, ...rest] = path;
  if (name === undefined) return isFolder ? part !== undefined : part === undefined;
  if (part === undefined) return false;
  if (part === '**') return matchParts(others, path, isFolder) || matchParts(pattern, rest, isFolder);
  return matchName(part, name) && matchParts(others, rest, isFolder);
}

/** Matches a name with `*`, `?` and sets such as `[a-z]` or `[!0]`, without backtracking over more than one `*`. */
function matchName(pattern: string, name: string): boolean {
  const steps = pattern.match(/\*+|\[[!^]?\]?[^\]]*\]|./gsu) ?? [];
  const characters = [...name];
  let [step, at] = [0, 0];
  let star: { step: number; at: number } | undefined;
  while (at < characters.length) {
    const wanted = steps[step];
    if (wanted?.startsWith('*')) {
      star = { step: ++step, at };
    } else if (wanted !== undefined && matchCharacter(wanted, characters[at] as string)) {
      step++;
      at++;
    } else if (star !== undefined) {
      at = ++star.at;
      step = star.step;
    } else {
      return false;
    }
  }
  return steps.slice(step).every((left) => left.startsWith('*'));
}

function matchCharacter(wanted: string, character: string): boolean {
  if (wanted === '?') return true;
  const [, not, set] = /^\[([!^]?)(.+)\]$/su.exec(wanted) ?? [];
  if (set === undefined) return wanted === character;
  const ranges = set.match(/.-.|./gsu) ?? [];
  const isIn = ranges.some((range) => {
    const [from, , to = from] = [...range];
    return from !== undefined && to !== undefined && from <= character && character <= to;
  });
  return isIn !== (not !== '');
}
