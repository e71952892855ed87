import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Folder } from './disk.ts';
import { DiskFile } from './disk-file.ts';

/** Reads the files below a folder, without sockets, because no process listens on them after a power loss. */
export function readFolder(path: string): Folder {
  const entries = readdirSync(path, { withFileTypes: true }).filter((entry) => !entry.isSocket());
  const nodes = entries.map((entry) => {
    const at = join(path, entry.name);
    return [entry.name, entry.isDirectory() ? readFolder(at) : new DiskFile(readFileSync(at))] as const;
  });
  return new Folder(new Map(nodes));
}

/** Writes a folder to a path that does not exist, with the permissions that a server gives its files. */
export function writeFolder(folder: Folder, path: string): void {
  mkdirSync(path, { mode: 0o700 });
  for (const [name, node] of folder.entries) {
    const at = join(path, name);
    if (node instanceof Folder) writeFolder(node, at);
    else writeFileSync(at, node.bytes, { mode: 0o600 });
  }
}

/** Returns the first path at which two folders differ, or undefined. */
export function findDifference(one: Folder, other: Folder, path = '.'): string | undefined {
  for (const name of new Set([...one.entries.keys(), ...other.entries.keys()])) {
    const [left, right] = [one.entries.get(name), other.entries.get(name)];
    const at = join(path, name);
    if (left instanceof Folder && right instanceof Folder) {
      const within = findDifference(left, right, at);
      if (within !== undefined) return within;
    } else if (!(left instanceof DiskFile && right instanceof DiskFile && left.bytes.equals(right.bytes))) return at;
  }
  return undefined;
}
