/** Whether something failed only as too many files are open, so that it says nothing of what was to be read. */
export function isOutOfFiles(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}
