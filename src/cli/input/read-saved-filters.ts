import { getOwnValue, isJsonObject } from '../../base/json.ts';
import { formatInteger } from '../../base/strings.ts';
import { tryParse } from '../../lang/syntax/parse.ts';
import type { Io } from '../io.ts';
import { openStandardInput, readFileChunks } from './chunks.ts';
import { decompress } from './decompress.ts';
import { expandFiles, type FileKind } from './expand-files.ts';
import { InputError } from './input-error.ts';
import { explainFailure, getFileName } from './read-file.ts';

/** A filter of a file. */
export interface SavedFilter {
  readonly file: string;
  /** The line where it begins, counted from 1. */
  readonly line: number;
  /** Its id or name, if it has one. */
  readonly name?: string;
  readonly where: string;
}

const KIND: FileKind = { what: 'filter files', extensions: /\.(?:where|txt|json|ndjson|jsonl)(?:\.gz|\.zst)?$/i };

/** More would take minutes. */
const MAX_FILTERS = 5_000;
const MAX_CHARACTERS = 16_000_000;

/**
 * Reads saved filters from files and folders, or from standard input for `-`:
 *
 * - `.json`: an object of filters by name, or an array of objects with `where` and `id` or `name`
 * - `.ndjson` and `.jsonl`: such an object per line
 * - others: one filter or, if it is none as a whole, a filter per line. Lines that begin with `#` are comments.
 *
 * @throws {InputError} if a file cannot be read or does not have this form, and if there are too many filters or none.
 */
export async function readSavedFilters(
  io: Pick<Io, 'in'>,
  paths: readonly string[],
  onNote: (note: string) => void,
): Promise<readonly SavedFilter[]> {
  const filters: SavedFilter[] = [];
  let characters = 0;
  for (const path of await expandFiles(paths, onNote, KIND)) {
    const text = await readText(io, path, MAX_CHARACTERS - characters);
    characters += text.length;
    for (const filter of listFilters(getFileName(path), text)) {
      if (filters.length === MAX_FILTERS)
        throw new InputError(`There are more than ${formatInteger(MAX_FILTERS)} filters: name fewer files`);
      filters.push(filter);
    }
  }
  if (filters.length === 0) throw new InputError(`There are no filters in ${paths.map(getFileName).join(', ')}`);
  return filters;
}

async function readText(io: Pick<Io, 'in'>, file: string, maxLength: number): Promise<string> {
  const name = getFileName(file);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for await (const bytes of decompress(file === '-' ? openStandardInput(io) : readFileChunks(file), name)) {
      text += decode(decoder, bytes, name);
      if (text.length > maxLength)
        throw new InputError(`${name}: the filters have more than ${formatInteger(MAX_CHARACTERS)} characters`);
    }
  } catch (error) {
    throw explainFailure(error, file, 0);
  }
  return text + decode(decoder, undefined, name);
}

function decode(decoder: TextDecoder, bytes: Buffer | undefined, name: string): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch (cause) {
    throw new InputError(`${name} is not UTF-8 text`, { cause });
  }
}

function listFilters(file: string, text: string): Iterable<SavedFilter> {
  const [, extension = ''] = /\.(\w+)(?:\.gz|\.zst)?$/i.exec(file) ?? [];
  switch (extension.toLowerCase()) {
    case 'json':
      return listJsonFilters(file, text);
    case 'ndjson':
    case 'jsonl':
      return listLines(text).map(([line, content]) => toFilter(file, line, parseJson(file, line, content)));
    default:
      return isWhole(extension, text) ? [{ file, line: 1, where: text.trim() }] : listTextLines(file, text);
  }
}

/** Returns whether a text is one filter. One that is not an expression is one with the extension `.where`. */
function isWhole(extension: string, text: string): boolean {
  if (text.trim() === '') return false;
  return extension.toLowerCase() === 'where' || tryParse(text).tree !== undefined;
}

function listTextLines(file: string, text: string): SavedFilter[] {
  return listLines(text).flatMap(([line, content]) =>
    content.startsWith('#') ? [] : [{ file, line, where: content }],
  );
}

function listLines(text: string): (readonly [line: number, content: string])[] {
  return text.split('\n').flatMap((content, index) => {
    const trimmed = content.trim();
    return trimmed === '' ? [] : [[index + 1, trimmed] as const];
  });
}

const SHAPE = '{"id": "pro", "where": "properties[\\"plan\\"] == \\"pro\\""}';

function toFilter(file: string, line: number, json: unknown): SavedFilter {
  const [id, name, where] = isJsonObject(json) ? ['id', 'name', 'where'].map((key) => getOwnValue(json, key)) : [];
  const named = id ?? name;
  if (typeof where !== 'string') throw new InputError(`${file}:${line}: expected a filter such as ${SHAPE}`);
  return { file, line, where, ...(named !== undefined && named !== null && { name: String(named) }) };
}

function* listJsonFilters(file: string, text: string): Generator<SavedFilter> {
  const json = parseJson(file, 1, text);
  const entries = listEntries(text);
  if (Array.isArray(json)) {
    for (const [index, item] of json.entries()) yield toFilter(file, entries[index]?.line ?? 1, item);
    return;
  }
  if (!isJsonObject(json))
    throw new InputError(`${file}: expected an object of filters by name, or an array of filters`);
  const seen = new Set<string>();
  for (const { line, token } of entries) {
    const name: string = JSON.parse(token);
    if (seen.has(name)) throw new InputError(`${file}:${line}: an earlier filter has the name ${token} too`);
    seen.add(name);
    const filter = getOwnValue(json, name);
    yield { ...toFilter(file, line, typeof filter === 'string' ? { where: filter } : filter), name };
  }
}

/** Lists the first token of each item of an array, or the name of each entry of an object, with its line. */
function listEntries(text: string): { readonly line: number; readonly token: string }[] {
  const entries: { line: number; token: string }[] = [];
  let [depth, line, isNext] = [0, 1, false];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]|\n|[^\s"[\]{},]+/g)) {
    if (token === '\n') line++;
    else {
      if (isNext && depth === 1 && token !== ']' && token !== '}') entries.push({ line, token });
      if (token !== ',') isNext = false;
      if (token === '{' || token === '[') depth++;
      if (token === '}' || token === ']') depth--;
      if (depth === 1 && /^[{[,]$/.test(token)) isNext = true;
    }
  }
  return entries;
}

function parseJson(file: string, line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`${file}:${line}: not JSON: ${(error as Error).message}`);
  }
}
