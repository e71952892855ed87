import { readFileSync } from 'node:fs';
import { duckdb } from '../../../src/lang/engines/sql/dialects/duckdb.ts';
import type { LogSegment } from '../../../src/service/storage/segment-folder.ts';
import type { EventLine, PersonLine } from '../../../src/service/store/log-line.ts';
import { applyUpdates } from '../../../src/service/store/person-updates.ts';
import type {
  Flushed,
  RecordKind,
  Store,
  StoredEvent,
  StoredPerson,
  StoredVersion,
} from '../../../src/service/store/store.ts';
import type { StoreSnapshot } from '../../../src/service/store/store-snapshot.ts';

interface Held {
  readonly flushed: Set<string>;
  readonly events: Map<string, EventLine>;
  readonly people: Map<string, StoredPerson>;
}

/** A store that keeps all in memory and forgets it with the process: what a store does, plainly written. */
export class MemoryStore implements Store {
  private readonly held = new Map<string, Held>();
  /** Takes part before each flushing; what it throws, the flushing throws. */
  onFlush: () => void | Promise<void> = () => undefined;
  /** As `onFlush`, after it. */
  onFlushed: () => void = () => undefined;

  async flush({ id }: StoredVersion, kind: RecordKind, segments: readonly LogSegment[]): Promise<void> {
    await this.onFlush();
    const held = this.held.get(id) ?? { flushed: new Set(), events: new Map(), people: new Map() };
    this.held.set(id, held);
    for (const { name, path } of segments) {
      if (held.flushed.has(`${kind} ${name}`)) continue;
      held.flushed.add(`${kind} ${name}`);
      for (const line of linesOf(path)) {
        if (kind === 'events') addEvent(held, line as EventLine);
        else addUpdate(held, line as PersonLine);
      }
    }
    this.onFlushed();
  }

  async readFlushed({ id }: StoredVersion): Promise<Flushed> {
    const held = this.held.get(id);
    const of = (kind: RecordKind) => {
      const names = [...(held?.flushed ?? [])].filter((name) => name.startsWith(kind));
      return { records: held?.[kind].size ?? 0, segment: names.sort().at(-1)?.split(' ')[1] ?? '' };
    };
    return { events: of('events'), people: of('people') };
  }

  async verify(): Promise<void> {}

  async *events({ id }: StoredVersion): AsyncGenerator<StoredEvent> {
    const lines = [...(this.held.get(id)?.events.values() ?? [])];
    yield* lines.sort((left, right) => left.time - right.time);
  }

  /** Lends what tells which versions are read: nothing of this takes SQL. */
  read<Result>(versions: readonly StoredVersion[], work: (reading: StoreSnapshot) => Promise<Result>): Promise<Result> {
    const fail = () => {
      throw new Error('nothing of this takes SQL');
    };
    const sources = versions.map(({ id }) => {
      const source = { table: id, properties: {} };
      return { events: source, people: source };
    });
    return work({ dialect: duckdb, isSnapshot: true, versions: sources, rows: fail, stream: fail });
  }

  async *people({ id }: StoredVersion): AsyncGenerator<StoredPerson> {
    yield* this.held.get(id)?.people.values() ?? [];
  }

  get isEmpty(): boolean {
    return this.held.size === 0;
  }

  async drop({ id }: StoredVersion): Promise<void> {
    this.held.delete(id);
  }

  async close(): Promise<void> {}
}

function addEvent({ events }: Held, line: EventLine): void {
  const key = line.insert_id === undefined ? `number ${events.size}` : `id ${line.insert_id}`;
  if (!events.has(key)) events.set(key, line);
}

function addUpdate({ people }: Held, line: PersonLine): void {
  const distinctId = line.$distinct_id;
  const properties = applyUpdates(people.get(distinctId)?.properties, [line]);
  if (properties === undefined) people.delete(distinctId);
  else people.set(distinctId, { distinctId, properties });
}

function* linesOf(path: string): Generator<EventLine | PersonLine> {
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line !== '' && !line.startsWith('{"batch"')) yield JSON.parse(line);
  }
}
