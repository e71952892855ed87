import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { check } from '../../api/expressions.ts';
import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import { readPeoplePages } from '../api/people-pages.ts';
import type { ServiceApi } from '../api/service-api.ts';
import { type ApiOptions, withApi } from '../api/with-api.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';

type ExportedKind = 'events' | 'people';

export interface ExportOptions extends ApiOptions {
  /** The file to write. Default: standard output. */
  readonly output?: string;
  /** Whether a terminal gets the lines unchanged too. */
  readonly raw?: boolean;
}

/** The parameters that select people. The others are for events. */
const PEOPLE_PARAMETERS = ['where', 'dataset_id', 'dataset_version'];

/** Writes the selected events or people of files, a server or a data folder, one a line. */
export async function runExport(
  io: Io,
  words: readonly string[],
  parameters: QueryParameters,
  { output, raw, ...options }: ExportOptions,
): Promise<void> {
  const [kind, files] = splitWords(words);
  const wrong = Object.keys(parameters).find((name) => kind === 'people' && !PEOPLE_PARAMETERS.includes(name));
  if (wrong !== undefined) throw new UsageError(`--${wrong.replaceAll('_', '-')} is for events, not for people`);
  const { where } = parameters;
  const reads = where === undefined ? [] : check(where).properties;
  await withApi(io, files, { ...options, reads, keepsWhole: kind === 'events' }, async (api) => {
    const lines = kind === 'people' ? readPeople(api, parameters) : await api.lines('/export', parameters);
    if (output !== undefined) return writeFile(io, output, lines);
    for await (const chunk of lines) await (raw ? io.out.writeRaw(chunk) : io.out.writeAll(chunk));
  });
}

/** Splits the arguments: the first can be the kind. A file with such a name is written as `./people`. */
function splitWords(words: readonly string[]): readonly [kind: ExportedKind, files: readonly string[]] {
  const [first, ...rest] = words;
  return first === 'events' || first === 'people' ? [first, rest] : ['events', words];
}

async function* readPeople(api: ServiceApi, parameters: QueryParameters): AsyncGenerator<string> {
  for await (const people of readPeoplePages(api, parameters))
    yield people.map((person) => `${JSON.stringify(person)}\n`).join('');
}

/** Writes a file beside the given one, which it replaces when it is complete. A name ending in `.gz` compresses it. */
async function writeFile(io: Io, path: string, lines: AsyncIterable<string | Uint8Array>): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  const remove = () => rmSync(part, { force: true });
  const unsubscribe = io.signals.onExit(remove);
  const file = createWriteStream(part, { flags: 'wx', flush: true });
  try {
    if (path.endsWith('.gz')) await pipeline(Readable.from(lines), createGzip(), file);
    else await pipeline(Readable.from(lines), file);
    await rename(part, path);
  } catch (error) {
    remove();
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new UsageError(`Cannot write ${path}: ${message}`);
  } finally {
    unsubscribe();
  }
}
