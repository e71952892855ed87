import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { QueryParameters } from '../../queries/endpoints/parameter.ts';
import type { Person } from '../../queries/people.ts';
import type { ServiceApi } from '../api/service-api.ts';
import { type ApiOptions, withExportApi } from '../api/with-api.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';

export type ExportedKind = 'events' | 'people';

export interface ExportOptions extends ApiOptions {
  /** The file to write. Default: standard output. */
  readonly output?: string;
  /** Whether a terminal gets the lines unchanged too. */
  readonly raw?: boolean;
}

/** The parameters that select people. The others are for events. */
const PEOPLE_PARAMETERS = ['where', 'dataset_id', 'dataset_version'];

/** Writes the selected events or people of a server or a data folder, one a line. */
export async function runExport(
  io: Io,
  kind: ExportedKind,
  parameters: QueryParameters,
  { output, raw, ...options }: ExportOptions,
): Promise<void> {
  const wrong = Object.keys(parameters).find((name) => kind === 'people' && !PEOPLE_PARAMETERS.includes(name));
  if (wrong !== undefined) throw new UsageError(`--${wrong.replaceAll('_', '-')} is for events, not for people`);
  await withExportApi(io, options, async (api) => {
    const lines = kind === 'people' ? readPeople(api, parameters) : await api.lines('/export', parameters);
    if (output !== undefined) return writeFile(io, output, lines);
    for await (const chunk of lines) await (raw ? io.out.writeRaw(chunk) : io.out.writeAll(chunk));
  });
}

/** Reads the pages of one session, which all show the same moment. */
async function* readPeople(api: ServiceApi, parameters: QueryParameters): AsyncGenerator<string> {
  let session: QueryParameters = {};
  for (let page = 0; ; page++) {
    const answer = JSON.parse(await api.query('/engage', { ...parameters, ...session, page: String(page) }));
    const people: readonly Person[] = answer.results;
    yield people.map((person) => `${JSON.stringify(person)}\n`).join('');
    if (people.length < answer.page_size) return;
    session = { session_id: answer.session_id };
  }
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
