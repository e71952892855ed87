/** Creates a bit for each row, 32 per word. */
export function createBits(rows: number): Int32Array {
  return new Int32Array(Math.ceil(rows / 32));
}

/** Clears the bits of the last word after those of the rows. */
export function clearAfter(bits: Int32Array, rows: number): void {
  if (rows % 32 !== 0) (bits[rows >> 5] as number) &= (1 << rows) - 1;
}

/** A set of rows of a block, one bit per row, so that `and`, `or` and `not` process 32 rows at a time. */
export class Subset {
  private readonly bits: Int32Array;
  private positions: Uint32Array | undefined;
  private isListed = false;
  private rows = 0;
  private blockSize = 0;

  /** @param limit The maximum number of rows in a block. The set starts empty. */
  constructor(private readonly limit: number) {
    this.bits = createBits(limit);
  }

  /** The number of rows in the set. */
  get size(): number {
    return this.rows;
  }

  get isWhole(): boolean {
    return this.rows === this.blockSize;
  }

  /** Sets it to all rows of a block. */
  fill(blockSize: number): void {
    this.bits.fill(-1).fill(0, Math.ceil(blockSize / 32));
    clearAfter(this.bits, blockSize);
    this.reset(blockSize, blockSize);
  }

  /** Sets it to the rows of another set. */
  copy({ bits, rows, blockSize: of }: Subset): void {
    this.bits.set(bits);
    this.reset(rows, of);
  }

  /** Sets it to the rows of another set whose bit is set. The bits are in the order of that set's rows. */
  pick(among: Subset, bits: Int32Array): void {
    if (among.isWhole) {
      this.bits.set(bits);
    } else {
      this.bits.fill(0);
      setBits(bits, among.size, among.list(), this.bits);
    }
    this.reset(countBits(this.bits), among.blockSize);
  }

  /** Keeps only the rows that are in the other set too. */
  intersect({ bits }: Subset): void {
    let rows = 0;
    for (let word = 0; word < bits.length; word++) {
      const kept = (this.bits[word] as number) & (bits[word] as number);
      this.bits[word] = kept;
      rows += countOnes(kept);
    }
    this.reset(rows, this.blockSize);
  }

  /** Removes the rows of the other set. */
  remove({ bits }: Subset): void {
    let rows = 0;
    for (let word = 0; word < bits.length; word++) {
      const kept = (this.bits[word] as number) & ~(bits[word] as number);
      this.bits[word] = kept;
      rows += countOnes(kept);
    }
    this.reset(rows, this.blockSize);
  }

  /** Sets it to the rows of a larger set that it does not have. */
  invert({ bits, rows }: Subset): void {
    for (let word = 0; word < bits.length; word++) (this.bits[word] as number) ^= bits[word] as number;
    this.reset(rows - this.rows, this.blockSize);
  }

  /** Writes its bits to the bits of all rows. The block starts at `offset`, a multiple of 32. */
  writeTo(allBits: Int32Array, offset: number): void {
    allBits.set(this.bits.subarray(0, Math.ceil(this.blockSize / 32)), offset / 32);
  }

  /** Returns the positions of its rows in the block, in order: the first `size` elements, until the set changes. */
  list(): Uint32Array {
    this.positions ??= new Uint32Array(this.limit);
    if (!this.isListed) listBits(this.bits, this.blockSize, this.positions);
    this.isListed = true;
    return this.positions;
  }

  private reset(rows: number, blockSize: number): void {
    this.rows = rows;
    this.blockSize = blockSize;
    this.isListed = false;
  }
}

/** Writes the positions of the set bits, in order. The loop visits only those, not every row. */
export function listBits(bits: Int32Array, length: number, positions: Uint32Array): void {
  let listed = 0;
  for (let first = 0; first < length; first += 32) {
    for (let word = bits[first >> 5] as number; word !== 0; word &= word - 1) {
      positions[listed++] = first + getLowestBit(word);
    }
  }
}

/** Sets the target bit at the position of each set bit. */
function setBits(bits: Int32Array, length: number, positions: Uint32Array, target: Int32Array): void {
  for (let first = 0; first < length; first += 32) {
    for (let word = bits[first >> 5] as number; word !== 0; word &= word - 1) {
      const position = positions[first + getLowestBit(word)] as number;
      (target[position >> 5] as number) |= 1 << position;
    }
  }
}

function getLowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

function countBits(bits: Int32Array): number {
  let count = 0;
  for (let index = 0; index < bits.length; index++) count += countOnes(bits[index] as number);
  return count;
}

function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
