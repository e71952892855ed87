import { stat } from 'node:fs/promises';

/**
 * What to tell of a folder that other users can read or write; undefined of one that they cannot, or that is not there.
 */
export async function checkFolderMode(folder: string): Promise<string | undefined> {
  const mode = await stat(folder).then(
    (found) => found.mode & 0o777,
    () => 0,
  );
  if ((mode & 0o066) === 0) return undefined;
  return `other users can read or write ${folder} (mode ${mode.toString(8)}): chmod -R go-rwx ${folder}`;
}
