import type { Random } from '../../src/data/random.ts';
import type { Loss } from './losses.ts';

/** Disks write pages of this many bytes atomically. */
const PAGE = 4_096;

/** A change of a file's bytes. `number` is that of the operation. */
type Change = { readonly number: number } & (
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly to: number }
);

/** A file on a disk: its synced bytes, and the changes since then. */
export class DiskFile {
  /** In bytes, with the changes that are not synced. */
  length: number;
  private pending: Change[] = [];

  constructor(private synced: Buffer = Buffer.alloc(0)) {
    this.length = synced.length;
  }

  /** Returns an independent copy. */
  copy(): DiskFile {
    return new DiskFile(this.bytes);
  }

  /** All bytes, as a running system reads them. */
  get bytes(): Buffer {
    return applyChanges(this.synced, this.pending);
  }

  write(at: number, bytes: Buffer, number: number): void {
    this.pending.push({ kind: 'write', at, bytes, number });
    this.length = Math.max(this.length, at + bytes.length);
  }

  truncate(to: number, number: number): void {
    this.pending.push({ kind: 'truncate', to, number });
    this.length = to;
  }

  /** Overwrites a range within the file with zeros. */
  punch(at: number, length: number, number: number): void {
    const end = Math.min(at + length, this.length);
    if (at < end) this.write(at, Buffer.alloc(end - at), number);
  }

  /** Makes the changes of all operations before the number `covers` durable. */
  sync(covers: number): void {
    this.synced = applyChanges(
      this.synced,
      this.pending.filter(({ number }) => number < covers),
    );
    this.pending = this.pending.filter(({ number }) => number >= covers);
  }

  /** Returns the file after a power loss. Each change that was not synced may be lost, and so may pages of a write. */
  lose(loss: Loss, random: Random): DiskFile {
    if (loss === 'synced') return new DiskFile(this.synced);
    if (loss === 'all') return new DiskFile(this.bytes);
    const kept = this.pending.flatMap((change) => (random.chance(0.5) ? [tear(change, random)] : []));
    return new DiskFile(applyChanges(this.synced, kept));
  }
}

function tear(change: Change, random: Random): Change {
  if (change.kind !== 'write' || random.chance(0.5)) return change;
  const { at, bytes } = change;
  const end = Math.floor((at + random.integer(0, bytes.length)) / PAGE) * PAGE;
  return { ...change, bytes: bytes.subarray(0, Math.max(0, end - at)) };
}

function applyChanges(bytes: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return bytes;
  const ends = changes.map((change) => (change.kind === 'write' ? change.at + change.bytes.length : change.to));
  const result = Buffer.alloc(Math.max(bytes.length, ...ends));
  bytes.copy(result);
  let length = bytes.length;
  for (const change of changes) {
    if (change.kind === 'truncate') {
      result.fill(0, Math.min(change.to, length));
      length = change.to;
    } else if (change.bytes.length > 0) {
      change.bytes.copy(result, change.at);
      length = Math.max(length, change.at + change.bytes.length);
    }
  }
  return result.subarray(0, length);
}
