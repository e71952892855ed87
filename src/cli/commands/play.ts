import { once } from 'node:events';
import { access, constants, stat } from 'node:fs/promises';
import { escapeUnprintable } from '../../base/strings.ts';
import type { FormatOptions } from '../../data/file-format.ts';
import { peekRecords } from '../../data/peek-records.ts';
import { chooseFields, type FieldOptions } from '../choose-fields.ts';
import { UsageError } from '../exit.ts';
import { explainSystemError } from '../input/input-error.ts';
import { listRecords } from '../input/line-reader.ts';
import { explainFailure, readFile } from '../input/read-file.ts';
import type { Io } from '../io.ts';
import { LOOPBACK, listenOnLoopback } from '../listen-on-loopback.ts';
import { servePage } from '../serve-page.ts';

export interface PlayOptions extends FieldOptions, FormatOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The time zone of the days of the file. Default: UTC. */
  readonly timeZone?: string;
}

/** Serves the page until Ctrl-C, with the events of a file or with sample events. */
export async function runPlay(io: Io, file: string | undefined, options: PlayOptions): Promise<void> {
  if (file !== undefined) {
    await ensureFile(file);
    await checkReading(io, file, options);
  }
  const server = await servePage(file === undefined ? undefined : { file, options });
  const found = await listenOnLoopback(server, options.port);
  await io.out.print([`Page: http://${LOOPBACK}:${found}/ (press Ctrl-C to stop)`]);
  await once(server, 'close');
}

/** Checks that the file can be read more than once: the page reads it each time it is loaded. */
async function ensureFile(file: string): Promise<void> {
  if (file === '-')
    throw new UsageError(
      'play cannot read standard input, because each load of the page reads the file. Name a file, or choose one on the page.',
    );
  try {
    if (!(await stat(file)).isFile()) throw new UsageError(`${file} is not a file`);
    await access(file, constants.R_OK);
  } catch (error) {
    throw explainSystemError(error, file);
  }
}

/** Refuses a file that cannot be read like this, and prints where its fields are. */
async function checkReading(io: Io, file: string, options: PlayOptions): Promise<void> {
  const onNote = (note: string) => io.err.write(`${escapeUnprintable(note)}\n`);
  try {
    const parts = readFile(io, file, { ...options, onBroken: () => undefined, onNote });
    const { records, all, close } = await peekRecords(parts, listRecords);
    // Throws what reading threw before the first record.
    await all().next();
    await close();
    chooseFields(io, records, options);
  } catch (error) {
    throw explainFailure(error, file, 0);
  }
}
