import { basename, dirname } from 'node:path';
import type { Random } from '../../src/data/random.ts';
import { DiskFile } from './disk-file.ts';
import type { Loss } from './losses.ts';
import type { Operation } from './system-calls.ts';

type Node = DiskFile | Folder;

export class Folder {
  constructor(readonly entries = new Map<string, Node>()) {}

  /** Returns an independent copy. */
  copy(): Folder {
    return new Folder(new Map([...this.entries].map(([name, node]) => [name, node.copy()])));
  }
}

/** Changes of names that happen atomically. */
interface NameChange {
  readonly number: number;
  readonly steps: readonly { readonly folder: Folder; readonly name: string; readonly node: Node | undefined }[];
  isSynced: boolean;
}

/**
 * A model of a folder on a disk that loses its cache with the power. It tracks all changes, and which of them are
 * synced.
 */
export class Disk {
  private readonly before: ReadonlyMap<Folder, ReadonlyMap<string, Node>>;
  private readonly changes: NameChange[] = [];
  private operations = 0;
  /** The largest number of operations that any sync covers. */
  private covered = 0;

  /** `root` is the initial content, which is synced. */
  constructor(
    private readonly path: string,
    readonly root: Folder,
  ) {
    this.before = new Map([...foldersFrom(root)].map((folder) => [folder, new Map(folder.entries)]));
  }

  apply(operation: Operation): void {
    const number = this.operations++;
    switch (operation.kind) {
      case 'open': {
        const file = this.find(operation.path);
        if (file === undefined) this.change(number, [operation.path, new DiskFile()]);
        else if (operation.truncates) (file as DiskFile).truncate(0, number);
        break;
      }
      case 'write': {
        const file = this.find(operation.path) as DiskFile;
        file.write(operation.at ?? file.length, operation.bytes, number);
        break;
      }
      case 'truncate':
        (this.find(operation.path) as DiskFile).truncate(operation.length, number);
        break;
      case 'punch':
        (this.find(operation.path) as DiskFile).punch(operation.at, operation.length, number);
        break;
      case 'sync':
        this.sync(operation.path, operation.covers);
        break;
      case 'make folder':
        this.change(number, [operation.path, new Folder()]);
        break;
      case 'link':
        this.change(number, [operation.to, this.find(operation.from)]);
        break;
      case 'rename':
        this.change(number, [operation.to, this.find(operation.from)], [operation.from, undefined]);
        break;
      case 'remove':
        this.change(number, [operation.path, undefined]);
        break;
    }
  }

  /** Returns the folder after a power loss. */
  lose(loss: Loss, random: Random): Folder {
    const entries = new Map([...this.before].map(([folder, names]) => [folder, new Map(names)]));
    const entriesOf = (folder: Folder) => {
      const known = entries.get(folder) ?? new Map<string, Node>();
      entries.set(folder, known);
      return known;
    };
    for (const { steps } of this.survivingChanges(loss, random)) {
      for (const { folder, name, node } of steps) {
        if (node === undefined) entriesOf(folder).delete(name);
        else entriesOf(folder).set(name, node);
      }
    }
    const files = new Map<DiskFile, DiskFile>();
    const restore = (node: Node): Node => {
      if (node instanceof Folder)
        return new Folder(new Map([...entriesOf(node)].map(([name, at]) => [name, restore(at)])));
      const file = files.get(node) ?? node.lose(loss, random);
      files.set(node, file);
      return file;
    };
    return restore(this.root) as Folder;
  }

  private survivingChanges(loss: Loss, random: Random): NameChange[] {
    if (loss === 'all') return this.changes;
    if (loss === 'synced') return this.changes.filter(({ isSynced }) => isSynced);
    if (loss === 'journaled') {
      const end = random.integer(this.covered, this.operations);
      return this.changes.filter(({ number, isSynced }) => isSynced || number < end);
    }
    const ended = new Set<Folder>();
    return this.changes.filter(({ steps, isSynced }) => {
      if (isSynced) return true;
      if (random.chance(0.5)) for (const { folder } of steps) ended.add(folder);
      return steps.every(({ folder }) => !ended.has(folder));
    });
  }

  private sync(path: string, covers: number): void {
    this.covered = Math.max(this.covered, covers);
    const node = this.find(path);
    if (node instanceof DiskFile) node.sync(covers);
    for (const change of this.changes) {
      if (change.number < covers && change.steps.some(({ folder }) => folder === node)) change.isSynced = true;
    }
  }

  private change(number: number, ...named: readonly (readonly [path: string, node: Node | undefined])[]): void {
    const steps = named.map(([path, node]) => ({
      folder: this.find(dirname(path)) as Folder,
      name: basename(path),
      node,
    }));
    for (const { folder, name, node } of steps) {
      if (node === undefined) folder.entries.delete(name);
      else folder.entries.set(name, node);
    }
    this.changes.push({ number, steps, isSynced: false });
  }

  private find(path: string): Node | undefined {
    let node: Node | undefined = this.root;
    for (const name of path.slice(this.path.length).split('/').filter(Boolean)) {
      node = node instanceof Folder ? node.entries.get(name) : undefined;
    }
    return node;
  }
}

function* foldersFrom(folder: Folder): Generator<Folder> {
  yield folder;
  for (const node of folder.entries.values()) if (node instanceof Folder) yield* foldersFrom(node);
}
