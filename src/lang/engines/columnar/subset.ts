/** Room for a bit for each of so many rows, 32 to a word. */
export function createBits(rows: number): Int32Array {
  return new Int32Array(Math.ceil(rows / 32));
}

/** Some of the rows of a block, one bit a row, so that `and`, `or` and `not` take 32 rows at a time. */
export class Subset {
  private readonly bits: Int32Array;
  private positions: Uint32Array | undefined;
  private isListed = false;
  private rows = 0;
  private of = 0;

  /** Of blocks of at most so many rows; none at first. */
  constructor(private readonly limit: number) {
    this.bits = createBits(limit);
  }

  /** How many rows of the block are in it. */
  get size(): number {
    return this.rows;
  }

  get isWhole(): boolean {
    return this.rows === this.of;
  }

  /** Becomes all rows of a block of so many. */
  fill(of: number): void {
    this.bits.fill(-1, 0, of >> 5).fill(0, of >> 5);
    if (of % 32 !== 0) this.bits[of >> 5] = (1 << (of % 32)) - 1;
    this.become(of, of);
  }

  /** Becomes the same rows as another. */
  copy({ bits, rows, of }: Subset): void {
    this.bits.set(bits);
    this.become(rows, of);
  }

  /** Becomes those rows of another whose bit is set; the bits are in the order of its rows. */
  pick(among: Subset, chosen: Int32Array): void {
    if (among.isWhole) {
      this.bits.set(chosen);
    } else {
      this.bits.fill(0);
      setBits(chosen, among.size, among.list(), this.bits);
    }
    this.become(countBits(this.bits), among.of);
  }

  /** Leaves only rows that are in the other too. */
  intersect({ bits }: Subset): void {
    for (let word = 0; word < bits.length; word++) (this.bits[word] as number) &= bits[word] as number;
    this.become(countBits(this.bits), this.of);
  }

  /** Leaves only rows that are not in the other. */
  remove({ bits }: Subset): void {
    for (let word = 0; word < bits.length; word++) (this.bits[word] as number) &= ~(bits[word] as number);
    this.become(countBits(this.bits), this.of);
  }

  /** Writes its bits to those of all rows, where `before`, a multiple of 32, come before the block. */
  writeTo(allBits: Int32Array, before: number): void {
    allBits.set(this.bits.subarray(0, Math.ceil(this.of / 32)), before / 32);
  }

  /** The positions of its rows in the block, in order, `size` of them; good until it changes. */
  list(): Uint32Array {
    this.positions ??= new Uint32Array(this.limit);
    if (!this.isListed) listBits(this.bits, this.of, this.positions);
    this.isListed = true;
    return this.positions;
  }

  private become(rows: number, of: number): void {
    this.rows = rows;
    this.of = of;
    this.isListed = false;
  }
}

/** Writes where bits are set, in order. A loop over the rows would have to look at each; this one looks at those that are there. */
export function listBits(bits: Int32Array, length: number, positions: Uint32Array): void {
  let listed = 0;
  for (let first = 0; first < length; first += 32) {
    for (let word = bits[first >> 5] as number; word !== 0; word &= word - 1) {
      positions[listed++] = first + lowestBit(word);
    }
  }
}

/** Sets the bit at the position that belongs to each bit; positions are in order, so that a word is put together before it is written. */
function setBits(bits: Int32Array, length: number, positions: Uint32Array, target: Int32Array): void {
  let at = 0;
  let put = 0;
  for (let first = 0; first < length; first += 32) {
    for (let word = bits[first >> 5] as number; word !== 0; word &= word - 1) {
      const position = positions[first + lowestBit(word)] as number;
      if (position >> 5 !== at) {
        target[at] = put;
        at = position >> 5;
        put = 0;
      }
      put |= 1 << position;
    }
  }
  target[at] = put;
}

function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

function countBits(bits: Int32Array): number {
  let count = 0;
  for (let index = 0; index < bits.length; index++) {
    let word = bits[index] as number;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
