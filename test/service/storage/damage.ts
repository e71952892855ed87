import fc from 'fast-check';

/** A change of a file: some bytes are replaced by others. */
export interface Damage {
  /** The position, as a fraction of the file. */
  readonly at: number;
  /** The number of bytes removed, at most up to the end of the file. */
  readonly removed: number;
  readonly inserted: keyof typeof INSERTED;
}

const INSERTED = {
  nothing: () => Buffer.alloc(0),
  flipped: (removed: Buffer) => Buffer.from(removed.map((byte) => byte ^ 0x10)),
  // As many as were removed, as if the machine stopped before they were on disk.
  zeros: (removed: Buffer) => Buffer.alloc(removed.length || 1),
  garbage: () => Buffer.from('\n{"batch":{"records":1,"bytes":3,"crc32":7}}\n\xff\x00{"batch":{\n', 'latin1'),
  'a batch line': (_: Buffer, all: Buffer) => Buffer.from(/\{"batch".*\n/.exec(all.toString('latin1'))?.[0] ?? '{'),
  'half a batch': () => Buffer.from('{"event":"half","properties":{}}\n{"batch":{"records":1,"by'),
};

/** Every kind of damage, anywhere in a file. */
export const anyDamage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat({ max: 1000 }).map((at) => at / 1000),
  removed: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 200 }), fc.constant(Number.POSITIVE_INFINITY)),
  inserted: fc.constantFrom(...(Object.keys(INSERTED) as (keyof typeof INSERTED)[])),
});

/** Returns the bytes of a file after the damage. */
export function applyDamage(bytes: Buffer, { at, removed, inserted }: Damage): Buffer {
  const start = Math.round(at * bytes.length);
  const end = Math.min(start + removed, bytes.length);
  const between = INSERTED[inserted](bytes.subarray(start, end), bytes);
  return Buffer.concat([bytes.subarray(0, start), between, bytes.subarray(end)]);
}
