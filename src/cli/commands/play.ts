import { once } from 'node:events';
import { access, constants, stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import { UsageError } from '../exit.ts';
import { explainSystemError } from '../input/input-error.ts';
import type { Io } from '../io.ts';
import { servePlayground } from '../serve-playground.ts';

export interface PlayOptions {
  /** 0 for any that is free. */
  readonly port: number;
}

/** Other machines cannot reach it there. */
const LOOPBACK = '127.0.0.1';

/** Serves the playground until Ctrl-C, with the events of a file or with sample events. */
export async function runPlay(io: Io, file: string | undefined, { port }: PlayOptions): Promise<void> {
  if (file !== undefined) await ensureFile(file);
  const server = await servePlayground(file);
  const found = await listen(server, port);
  await io.out.print([`The playground is at http://${LOOPBACK}:${found}/ until you press Ctrl-C.`]);
  await once(server, 'close');
}

/** The page reads the file each time it is loaded, so that it must be one that can be read again. */
async function ensureFile(file: string): Promise<void> {
  if (file === '-')
    throw new UsageError('play reads the file each time the page is loaded: name a file, or choose one on the page');
  try {
    if (!(await stat(file)).isFile()) throw new UsageError(`${file} is not a file`);
    await access(file, constants.R_OK);
  } catch (error) {
    throw explainSystemError(error, file);
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw new UsageError(`port ${port} is in use`);
    throw new UsageError(`port ${port} cannot be used: ${(error as Error).message}`);
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
