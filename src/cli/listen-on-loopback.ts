import { once } from 'node:events';
import type { Server } from 'node:http';
import { UsageError } from './exit.ts';

/** Only this machine can connect to it. */
export const LOOPBACK = '127.0.0.1';

/**
 * Makes a server listen for programs on this machine, and returns its port.
 *
 * @param port 0 for any free port
 * @throws {UsageError} if it cannot
 */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  server.listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new UsageError(`Port ${port} is in use. Choose another with --port.`);
    throw new UsageError(`Cannot listen on port ${port}: ${(error as Error).message}`);
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
