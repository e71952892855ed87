import { getHeapStatistics } from 'node:v8';
import { formatInteger } from '../../base/strings.ts';
import type { PropertyRead } from '../../lang/check/check.ts';
import { getValue } from '../../lang/plan/batch-column.ts';
import { QueryLimitError } from '../../queries/errors.ts';
import type { EventTable } from '../../queries/in-memory/event-table.ts';
import type { MemoryContext } from '../../queries/in-memory/memory-context.ts';
import type { EventLine } from '../../service/store/log-line.ts';
import { InputError } from '../input/input-error.ts';
import { type CollectedRecords, EventCollector } from './event-collector.ts';
import type { FileLines } from './file-lines.ts';
import { NAME_A_PLACE } from './service-api.ts';

/** The records of files, as far as queries read them. */
export type FileRecords = CollectedRecords & Pick<MemoryContext, 'countProperties'>;

/**
 * Reads the events of files into a table, and the people. Resolves to undefined if they need more memory.
 *
 * @param reads the properties that the queries read
 * @param maxMemory in bytes
 * @param keepsWhole whether to keep all properties of events, too
 * @throws {InputError} if a file cannot be read, or has anything else than events and people
 */
export async function readFileRecords(
  lines: FileLines,
  reads: readonly PropertyRead[],
  maxMemory: number,
  keepsWhole = false,
): Promise<FileRecords | undefined> {
  const collector = new EventCollector(reads, keepsWhole);
  // Names are counted when a query asks for them, which few do, unless the files cannot be read again.
  let counts = lines.isStream ? new PropertyCounts() : undefined;
  let isTooMuch = false;
  const records = await lines.read(counts === undefined && !keepsWhole ? reads : undefined, {
    addEvent(line) {
      collector.addEvent(line);
      counts?.addEvent(line);
    },
    createPlainEvents: (walker) => collector.createPlainEvents(walker),
    addPerson: (line) => collector.addPerson(line),
    isDone() {
      isTooMuch = isBeyond(maxMemory);
      return isTooMuch;
    },
  });
  if (isTooMuch) return undefined;
  if (records === 0)
    throw new InputError(
      lines.isStream ? `Standard input has no records. ${NAME_A_PLACE}` : 'The files have no records',
    );
  const collected = collector.finish();
  const { table } = collected;
  return {
    ...collected,
    async countProperties(event) {
      const known = event === undefined ? countRead(table, reads) : undefined;
      if (known !== undefined) return known;
      if (counts === undefined) {
        counts = new PropertyCounts();
        await lines.read(undefined, counts);
      }
      return counts.list(event);
    },
  };
}

/** Returns how many events have each of the properties that are read; undefined if none has one of them. */
function countRead(table: EventTable, reads: readonly PropertyRead[]): Map<string, number> | undefined {
  const counts = new Map<string, number>();
  for (const read of reads) {
    if (read.scope === 'user') continue;
    const column = table.getColumn(read);
    let count = 0;
    for (let row = 0; row < table.length; row++) count += Number(column && getValue(column, row) !== undefined);
    if (count === 0) return undefined;
    counts.set(read.name, count);
  }
  return counts;
}

/** The part of the heap that strings and people may take. The rest is for what queries make. */
const MAX_HEAP_SHARE = 0.6;

/** Returns whether the process takes more memory than is allowed. Columns are copied once, when they are sorted. */
function isBeyond(maxMemory: number): boolean {
  const { used_heap_size: heap, heap_size_limit: limit, external_memory: columns } = getHeapStatistics();
  return heap > MAX_HEAP_SHARE * limit || heap + 2 * columns > maxMemory;
}

/** More names are not counted: a hostile file could have a new one in each event. */
const MAX_NAMES = 100_000;

/** Counts the events with each property, by the names of the events. */
class PropertyCounts {
  private readonly byEvent = new Map<string, Map<string, number>>();
  private names = 0;

  addEvent({ event, properties }: EventLine): void {
    if (this.names > MAX_NAMES) return;
    const counts = this.byEvent.get(event) ?? new Map<string, number>();
    this.byEvent.set(event, counts);
    for (const name of Object.keys(properties)) {
      const count = counts.get(name) ?? 0;
      if (count === 0) this.names++;
      counts.set(name, count + 1);
    }
  }

  /**
   * Returns the counts of one event, or of all.
   *
   * @throws {QueryLimitError} if there are too many names
   */
  list(event: string | undefined): ReadonlyMap<string, number> {
    if (this.names > MAX_NAMES) throw new QueryLimitError('overload', TOO_MANY_NAMES);
    if (event !== undefined) return this.byEvent.get(event) ?? new Map();
    const all = new Map<string, number>();
    for (const counts of this.byEvent.values()) {
      for (const [name, count] of counts) all.set(name, (all.get(name) ?? 0) + count);
    }
    return all;
  }
}

const TOO_MANY_NAMES = `The events have more than ${formatInteger(MAX_NAMES)} names of properties.`;
