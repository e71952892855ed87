import { statSync } from 'node:fs';
import { readJson } from './read-json.ts';

/** JSON files, each read again only after it has changed. */
export class JsonFiles {
  private readonly known = new Map<string, { readonly stamp: string | undefined; readonly content: unknown }>();

  /**
   * Returns what a file holds; undefined if there is none.
   *
   * @throws {DamagedFileError} as {@link readJson}.
   */
  async read<T>(path: string, isSound: (json: unknown) => json is T): Promise<T | undefined> {
    const stamp = stampOf(path);
    const known = this.known.get(path);
    if (known !== undefined && known.stamp === stamp) return known.content as T | undefined;
    this.known.delete(path);
    const content = await readJson(path, isSound);
    if (content !== undefined) this.known.set(path, { stamp, content });
    return content;
  }

  /** Whether a file is still as it was read. */
  isCurrent(path: string): boolean {
    return this.known.get(path)?.stamp === stampOf(path);
  }
}

/**
 * Tells two states of a file apart; undefined if it does not exist. Each request needs it, and must not wait for the
 * threads that write to disk, so that it is synchronous.
 */
function stampOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.mtimeNs} ${stat.size}`;
}
