import { readFileSync } from 'node:fs';
import { duckdb } from '../../../src/lang/engines/sql/dialects/duckdb.ts';
import type { LogFile } from '../../../src/service/storage/log-files.ts';
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

interface Content {
  readonly flushed: Set<string>;
  readonly events: Map<string, EventLine>;
  readonly people: Map<string, StoredPerson>;
}

/** A store in memory: the simplest correct implementation. */
export class MemoryStore implements Store {
  private readonly contents = new Map<string, Content>();
  /** Called before each flush, which fails if this throws. */
  onFlush: () => void | Promise<void> = () => undefined;
  /** Called after each flush. */
  onFlushed: () => void = () => undefined;
  /** Does a part of a promotion. Returns whether there was any. */
  onOptimize: () => boolean = () => false;

  async flush({ id }: StoredVersion, kind: RecordKind, files: readonly LogFile[]): Promise<void> {
    await this.onFlush();
    const content = this.contents.get(id) ?? { flushed: new Set(), events: new Map(), people: new Map() };
    this.contents.set(id, content);
    for (const { name, path } of files) {
      if (content.flushed.has(`${kind} ${name}`)) continue;
      content.flushed.add(`${kind} ${name}`);
      for (const line of readLines(path)) {
        if (kind === 'events') addEvent(content, line as EventLine);
        else addUpdate(content, line as PersonLine);
      }
    }
    this.onFlushed();
  }

  async optimize(): Promise<boolean> {
    return this.onOptimize();
  }

  async readFlushed({ id }: StoredVersion): Promise<Flushed> {
    const content = this.contents.get(id);
    const count = (kind: RecordKind) => {
      const names = [...(content?.flushed ?? [])].filter((name) => name.startsWith(kind));
      return { records: content?.[kind].size ?? 0, lastFile: names.sort().at(-1)?.split(' ')[1] ?? '' };
    };
    return { events: count('events'), people: count('people') };
  }

  async verify(): Promise<void> {}

  async *events({ id }: StoredVersion): AsyncGenerator<StoredEvent> {
    const lines = [...(this.contents.get(id)?.events.values() ?? [])];
    yield* lines.sort((left, right) => left.time - right.time);
  }

  /** Runs `work` with sources that name the versions. Queries throw. */
  read<Result>(
    versions: readonly StoredVersion[],
    work: (snapshot: StoreSnapshot) => Promise<Result>,
  ): Promise<Result> {
    const fail = () => {
      throw new Error('this store has no SQL');
    };
    const sources = versions.map(({ id }) => {
      const source = { table: id, properties: {} };
      return { events: source, people: source };
    });
    return work({ dialect: duckdb, isSnapshot: true, parameters: [], versions: sources, rows: fail, stream: fail });
  }

  async *people({ id }: StoredVersion): AsyncGenerator<StoredPerson> {
    yield* this.contents.get(id)?.people.values() ?? [];
  }

  get isEmpty(): boolean {
    return this.contents.size === 0;
  }

  async drop({ id }: StoredVersion): Promise<void> {
    this.contents.delete(id);
  }

  async close(): Promise<void> {}
}

function addEvent({ events }: Content, line: EventLine): void {
  const key = line.insert_id === undefined ? `number ${events.size}` : `id ${line.insert_id}`;
  if (!events.has(key)) events.set(key, line);
}

function addUpdate({ people }: Content, line: PersonLine): void {
  const distinctId = line.$distinct_id;
  const properties = applyUpdates(people.get(distinctId)?.properties, [line]);
  if (properties === undefined) people.delete(distinctId);
  else people.set(distinctId, { distinctId, properties });
}

function* readLines(path: string): Generator<EventLine | PersonLine> {
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line !== '' && !line.startsWith('{"batch"')) yield JSON.parse(line);
  }
}
