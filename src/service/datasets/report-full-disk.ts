import { LogWriteError } from '../storage/log-write-error.ts';
import { ServiceError } from './errors.ts';

/** What writing fails with where the disk is at fault. */
const NO_ROOM: ReadonlySet<string | undefined> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG'],
  ...['EMFILE', 'ENFILE'],
]);

const NOT_STORED = 'Nothing of this is stored: the server cannot write to its disk. Send it again later.';

/** Work that writes: a disk that takes no more is told to the client. */
export async function reportFullDisk<T>(work: Promise<T>, message = NOT_STORED): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!(error instanceof LogWriteError) && !NO_ROOM.has(code)) throw error;
    throw new ServiceError(507, message, { cause: error });
  }
}
