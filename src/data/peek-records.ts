import type { EventRecord } from './event-record.ts';

/** The number of records that show the shape of a file. */
export const SAMPLE_RECORDS = 200;

/** Long records show the shape of a file too, and must not fill the memory while they wait. */
const MAX_CHARACTERS = 2 ** 25;

/** A file without records is not read further. */
const MAX_PARTS = 256;

/** The first records of a file, and all of its parts, each once. */
export interface PeekedRecords<Part> {
  readonly records: readonly EventRecord[];
  /** Yields all parts. Throws what reading threw, after the parts before it. */
  readonly all: () => AsyncGenerator<Part>;
  /** Closes the file without reading the rest. */
  readonly close: () => Promise<unknown>;
}

/** Reads the first records of a file: 200, or fewer if `isEnough`, or if the records or parts are long. */
export async function peekRecords<Part>(
  parts: AsyncGenerator<Part>,
  listRecords: (part: Part) => Iterable<EventRecord>,
  isEnough: (records: readonly EventRecord[]) => boolean = () => false,
): Promise<PeekedRecords<Part>> {
  const held: Part[] = [];
  const records: EventRecord[] = [];
  let characters = 0;
  let isFull = false;
  let failure: { readonly error: unknown } | undefined;
  try {
    while (!isFull && held.length < MAX_PARTS && !isEnough(records)) {
      const { done, value } = await parts.next();
      if (done) break;
      held.push(value);
      for (const record of listRecords(value)) {
        records.push(record);
        characters += record.text().length;
        // Not a function, which `all` would keep in memory with the records.
        isFull = records.length === SAMPLE_RECORDS || characters > MAX_CHARACTERS;
        if (isFull) break;
      }
    }
  } catch (error) {
    failure = { error };
  }
  async function* all() {
    // Forgets each part when it is read.
    for (let part = held.shift(); part !== undefined; part = held.shift()) yield part;
    if (failure !== undefined) throw failure.error;
    yield* parts;
  }
  return { records, all, close: () => parts.return(undefined) };
}
