import type { EventBatch, EventRecord } from '../data/event-record.ts';
import { createFieldReader, EVENT_PROPERTY } from '../data/field-mapping.ts';
import { parseRecord } from '../data/parse-records.ts';
import { formatInteger, formatProperty, pluralize, quoteString, truncate } from '../lang/util/strings.ts';
import { suggest } from '../lang/util/suggest.ts';
import { InputError } from './input/input-error.ts';
import { LineReader } from './input/line-reader.ts';
import { readFile } from './input/read-file.ts';
import type { LineBlock } from './input/split-line-blocks.ts';
import type { Io } from './io.ts';
import { printMessage } from './messages.ts';
import type { ChunkResult } from './workers/chunk-processor.ts';
import type { Job } from './workers/job.ts';
import {
  getEventKey,
  getKey,
  listKeys,
  listNamed,
  listStrings,
  type Named,
  type NamedProperty,
  NUMBER_KEY,
  Occurrences,
} from './workers/occurrences.ts';

/** The sample holds so many bytes of lines and so many parsed records. */
const MAX_BYTES = 16 * 2 ** 20;
const MAX_RECORDS = 20_000;

/** Counts of more distinct names or values than this are not kept. */
const MAX_COUNTED = 10_000;

/** The number of names or values that a message lists, and their width. */
const MAX_LISTED = 3;
const MAX_WIDTH = 40;

/**
 * Warns of events, properties and values that a job names and that no record has. While something has not occurred, it
 * keeps the first records, for names that are similar and to look into records that were skipped unparsed.
 */
export class AbsentNames {
  private readonly named: Named;
  private readonly missing: Set<string>;
  private readonly readFields: (record: EventRecord) => EventRecord;
  private kept: (Buffer | readonly EventRecord[])[] = [];
  private bytes = 0;
  private records = 0;
  /** Whether all records are kept. */
  private isWhole = true;
  /** Whether the job looked at all records. */
  private isExact = true;

  constructor(
    private readonly io: Io,
    private readonly job: Job,
  ) {
    this.named = listNamed(job);
    this.missing = new Set(listKeys(this.named));
    const withEvent = this.named.properties.some(({ name }) => name === EVENT_PROPERTY);
    this.readFields = createFieldReader({ fields: job.fields, flatten: job.flatten, withEvent });
  }

  /** Keeps a part of the input. Call it before the part is sent to another thread. */
  keep(part: EventBatch | LineBlock): void {
    if (this.missing.size === 0 || !this.isWhole) return;
    if ('bytes' in part) {
      const bytes = cutLines(part.bytes, MAX_BYTES - this.bytes);
      this.isWhole = bytes.length === part.bytes.length;
      this.bytes += bytes.length;
      this.kept.push(Buffer.from(bytes));
    } else {
      const records = part.records.slice(0, MAX_RECORDS - this.records);
      this.isWhole = records.length === part.records.length;
      this.records += records.length;
      this.kept.push(records);
    }
  }

  /** Takes note of what occurred in records that the job read. */
  take({ occurred, skipped }: Pick<ChunkResult<unknown>, 'occurred' | 'skipped'>): void {
    for (const key of occurred) this.missing.delete(key);
    if (skipped > 0) this.isExact = false;
    if (this.missing.size === 0) this.kept = [];
  }

  /** Keeps the first records of a file that a database answered for, from its lines or, without them, from the file. */
  async readDatabase(file: string, openLines: () => Promise<Lines | undefined>): Promise<void> {
    if (this.missing.size === 0) return;
    this.isExact = false;
    try {
      const lines = await openLines();
      await this.keepAll(
        lines === undefined ? readFile(this.io, file, { ...this.job, onBroken: () => undefined }) : parseLines(lines),
      );
    } catch (error) {
      // The answer did not need the columns that cannot be read.
      if (!(error instanceof InputError)) throw error;
      this.isWhole = false;
    }
  }

  /** Prints the warnings, and returns whether there are any. Says nothing of records that nobody looked at. */
  warn(): boolean {
    if (this.missing.size === 0) return false;
    const census = new NameCensus(this.named);
    for (const record of this.listKept()) census.add(this.readFields(record));
    if (census.records === 0) return false;
    const found = new Set(census.occurrences.take());
    const isMissing = (key: string) => this.missing.has(key) && !found.has(key);
    const scope = this.isExact || this.isWhole ? '' : `the first ${pluralize(census.records, 'record')}`;
    const messages = [...describeAbsent(this.named, isMissing, census, scope, this.isWhole)];
    for (const message of messages) printMessage(this.io, 'warning', message);
    return messages.length > 0;
  }

  private async keepAll(parts: AsyncIterable<EventBatch | LineBlock>): Promise<void> {
    const occurrences = new Occurrences(this.named);
    for await (const part of parts) {
      this.keep(part);
      for (const record of 'records' in part ? part.records : []) occurrences.add(this.readFields(record));
      this.take({ occurred: occurrences.take(), skipped: 0 });
      if (!this.isWhole || this.missing.size === 0) return;
    }
  }

  private *listKept(): Generator<EventRecord> {
    const reader = new LineReader();
    for (const part of this.kept) {
      if (!Buffer.isBuffer(part)) {
        yield* part;
        continue;
      }
      reader.open({ bytes: part });
      for (let found = reader.next(); found !== undefined; found = reader.next()) if (!('reason' in found)) yield found;
    }
  }
}

/** Returns the first whole lines with at most so many bytes. */
function cutLines(bytes: Buffer, room: number): Buffer {
  return bytes.length <= room ? bytes : bytes.subarray(0, bytes.lastIndexOf('\n', room - 1) + 1);
}

/** Lines of records, from a database. */
type Lines = AsyncIterable<{ readonly part: string }> | Iterable<{ readonly part: string }>;

async function* parseLines(lines: Lines): AsyncGenerator<EventBatch> {
  for await (const { part } of lines) {
    const records = part.split('\n').map((line) => (line === '' ? '' : parseRecord(line, 0)));
    yield { records: records.filter((record) => typeof record === 'object') };
  }
}

type Counts = Map<string, number>;

/** Describes an event that never occurs, with the nearest name in the counts of events. */
export function describeAbsentEvent(event: string, counts: Counts): string {
  return `No event is called ${show(event)}. ${describeNear(event, counts, 'Events', '')}`.trim();
}

/** Counts the names and values of sample records. */
class NameCensus {
  records = 0;
  readonly events: Counts = new Map();
  readonly properties: Counts = new Map();
  readonly user: Counts = new Map();
  readonly values = new Map<NamedProperty, Counts>();
  readonly occurrences: Occurrences;

  constructor(named: Named) {
    this.occurrences = new Occurrences(named);
    for (const property of named.properties) if (property.values.length > 0) this.values.set(property, new Map());
  }

  add(record: EventRecord): void {
    this.records++;
    this.occurrences.add(record);
    if (record.event !== undefined) addTo(this.events, record.event);
    for (const name of Object.keys(record.properties)) addTo(this.properties, name);
    for (const name of Object.keys(record.user ?? {})) addTo(this.user, name);
    for (const [{ scope, name }, counts] of this.values) {
      const properties = scope === 'user' ? record.user : record.properties;
      if (properties === undefined || !Object.hasOwn(properties, name)) continue;
      for (const value of new Set(listStrings(properties[name]))) addTo(counts, value);
    }
  }
}

function addTo(counts: Counts, name: string): void {
  const count = counts.get(name) ?? 0;
  if (count > 0 || counts.size < MAX_COUNTED) counts.set(name, count + 1);
}

/** Describes what is missing in all records or, if `scope` is not empty, in the first ones. */
function* describeAbsent(
  { event, properties, number }: Named,
  isMissing: (key: string) => boolean,
  census: NameCensus,
  scope: string,
  isWhole: boolean,
): Generator<string> {
  const counted = isWhole ? '' : ` of the first ${pluralize(census.records, 'record')}`;
  const none = scope === '' ? 'No record' : `None of ${scope}`;
  const inside = scope === '' ? '' : ` in ${scope}`;
  if (event !== undefined && isMissing(getEventKey(event))) {
    yield `No event is called ${show(event)}${inside}. ${describeNear(event, census.events, 'Events', counted)}`.trim();
  }
  let anyAbsent = false;
  for (const named of properties) {
    const { scope: of, name } = named;
    if (isMissing(getKey(named))) {
      anyAbsent = true;
      const what = of === 'user' ? 'user property' : 'property';
      const near = describeNear(name, census[of], of === 'user' ? 'User properties' : 'Properties', counted, 'record');
      yield `${none} has the ${what} ${show(name)}. ${near}`.trim();
      continue;
    }
    const all = formatProperty(of, name);
    for (const value of named.values) {
      if (!isMissing(getKey(named, value))) continue;
      const never = scope === '' ? 'never occurs in' : 'does not occur in';
      const near = describeNear(value, census.values.get(named) ?? new Map(), 'Its values', counted);
      yield `${show(value)} ${never} ${all}${inside}. ${near}`.trim();
    }
  }
  if (number !== undefined && !anyAbsent && isMissing(NUMBER_KEY))
    yield `${truncate(number.source, 2 * MAX_WIDTH)} is never a number${inside}, so every value counts as 0.`;
}

/** Names the nearest candidate or, if none is near, the most frequent ones. */
function describeNear(written: string, counts: Counts, kind: string, counted: string, unit = ''): string {
  const describe = (name: string, of: string) => {
    const count = counts.get(name) ?? 0;
    return `${show(name)} (${unit !== '' && of === '' ? pluralize(count, unit) : `${formatInteger(count)}${of}`})`;
  };
  const nearest = suggest(written, counts.keys());
  if (nearest !== undefined) return `Did you mean ${describe(nearest, counted)}?`;
  const ranked = [...counts].sort(([first, left], [second, right]) => right - left || (first < second ? -1 : 1));
  if (ranked.length === 0) return '';
  const listed = ranked
    .slice(0, MAX_LISTED)
    .map(([name]) => describe(name, ''))
    .join(', ');
  return `${kind}${counted.replace(' of ', ' in ')} include ${listed}.`;
}

function show(text: string): string {
  return truncate(quoteString(text), MAX_WIDTH);
}
