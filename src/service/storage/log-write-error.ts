const DISK_FULL: readonly unknown[] = ['ENOSPC', 'EDQUOT'];

/** A log that could not be written: nothing of what it was given at the time is kept. The message is for operators. */
export class LogWriteError extends Error {
  /** Whether there was no room, so that it works again when there is. */
  readonly isDiskFull: boolean;

  constructor(folder: string, cause: unknown) {
    const isDiskFull = DISK_FULL.includes((cause as NodeJS.ErrnoException).code);
    const advice = isDiskFull
      ? 'cannot be written, since the disk is full. Free some space'
      : 'cannot be read and written. Look after the disk and the rights to the folder';
    super(`The log in ${folder} ${advice}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.isDiskFull = isDiskFull;
  }
}
