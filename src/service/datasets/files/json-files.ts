import { statSync } from 'node:fs';
import { readJson } from './read-json.ts';

/** Caches JSON files and reads each again only after it has changed. */
export class JsonFiles {
  private readonly known = new Map<string, { readonly stamp: string | undefined; readonly content: unknown }>();

  /**
   * Returns the content of a file, or undefined if there is none.
   *
   * @throws {DamagedFileError} like {@link readJson}
   */
  async read<T>(path: string, isSound: (json: unknown) => json is T): Promise<T | undefined> {
    const stamp = getStamp(path);
    const known = this.known.get(path);
    if (known !== undefined && known.stamp === stamp) return known.content as T | undefined;
    this.known.delete(path);
    const content = await readJson(path, isSound);
    if (content !== undefined) this.known.set(path, { stamp, content });
    return content;
  }

  /** Returns whether a file is unchanged since it was last read. */
  isCurrent(path: string): boolean {
    return this.known.get(path)?.stamp === getStamp(path);
  }
}

/**
 * Returns a stamp that changes with the file; undefined if the file does not exist.
 *
 * Synchronous because every request needs it and must not wait for the threads that write to disk.
 */
function getStamp(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.mtimeNs} ${stat.size}`;
}
