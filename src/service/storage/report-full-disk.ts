import { ServiceError } from '../../queries/service-error.ts';
import { LogWriteError } from './log-write-error.ts';

/** Error codes of failed writes that the disk or the file limit causes. */
const NO_ROOM: ReadonlySet<string | undefined> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG'],
  ...['EMFILE', 'ENFILE'],
]);

const NOT_STORED = 'Nothing of this is stored: the server cannot write to its disk. Send it again later.';

/**
 * Awaits work that writes to disk and turns a full or failed disk into an error for the client.
 *
 * @throws {ServiceError} 507 if the disk cannot be written
 */
export async function reportFullDisk<T>(work: Promise<T>, message = NOT_STORED): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!(error instanceof LogWriteError) && !NO_ROOM.has(code)) throw error;
    throw new ServiceError(507, message, { cause: error });
  }
}
