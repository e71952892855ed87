const DISK_FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/**
 * Thrown if a log cannot be read or written. None of the batches being written are kept. The message is for operators.
 */
export class LogWriteError extends Error {
  /** Whether the disk was full, so that a retry succeeds once there is space. */
  readonly isDiskFull: boolean;

  constructor(folder: string, cause: unknown) {
    const isDiskFull = DISK_FULL.includes((cause as NodeJS.ErrnoException).code);
    const advice = isDiskFull
      ? 'cannot be written because the disk is full. Free some space'
      : 'cannot be read or written. Check the disk and the permissions of the folder';
    super(`The log in ${folder} ${advice}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.isDiskFull = isDiskFull;
  }
}
