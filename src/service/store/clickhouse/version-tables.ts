import type { RecordKind, StoredVersion } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { TableDefinition, Topology } from './topology.ts';

/** A column, and how it is stored. */
export type ClickHouseColumn = readonly [name: string, type: string, codec?: string];

/** The columns that hold a record whole. */
const RECORD_COLUMNS: Readonly<Record<RecordKind, readonly ClickHouseColumn[]>> = {
  events: [
    ['event', 'LowCardinality(String)'],
    ['time', 'Int64', 'CODEC(Delta, ZSTD(1))'],
    ['distinct_id', 'String'],
    ['insert_id', 'Nullable(String)'],
    ['properties', 'String', 'CODEC(ZSTD(1))'],
  ],
  people: [
    ['distinct_id', 'String'],
    ['properties', 'String', 'CODEC(ZSTD(1))'],
  ],
};

/** Users stay together, so that what is asked of each user's events is answered where they are. */
const BY_USER = 'cityHash64(distinct_id)';

/** What a version has in the database. All names come from its id, which has letters and digits only. */
export class VersionTables {
  /** The flushes that count, in their order, with the segments of each. */
  readonly commits: TableDefinition;
  /** The properties with columns of their own, by number. */
  readonly promoted: TableDefinition;
  /** Updates of people that are being flushed, in their order. */
  readonly updates: TableDefinition;

  constructor(
    { id }: StoredVersion,
    private readonly topology: Topology,
  ) {
    if (!/^[A-Za-z0-9]+$/.test(id)) throw new StoreError(`A version cannot be called ${JSON.stringify(id)}.`);
    this.id = id;
    this.commits = {
      name: `version_${id}_commits`,
      columns: 'kind LowCardinality(String), number UInt32, settle UInt64, segments Array(String)',
      orderBy: '(kind, number)',
    };
    this.promoted = {
      name: `version_${id}_promoted`,
      columns: 'kind LowCardinality(String), number UInt32, name String',
      orderBy: '(kind, number)',
    };
    this.updates = {
      name: `people_${id}_updates`,
      columns: `position UInt64, line String CODEC(ZSTD(1)), distinct_id String DEFAULT onwhere_content(line, '$distinct_id')`,
      orderBy: '(distinct_id, position)',
      shardBy: BY_USER,
    };
  }

  private readonly id: string;

  /** What queries read: the records of the flushes that count. */
  view(kind: RecordKind): string {
    return `${kind}_${this.id}`;
  }

  /** The records, each with the ID of its flush. The column is called `settle`, as in existing databases. */
  rows(kind: RecordKind): TableDefinition {
    return {
      name: `${this.view(kind)}_rows`,
      columns: `settle UInt64 CODEC(ZSTD(1)), ${defined(RECORD_COLUMNS[kind])}`,
      shardBy: BY_USER,
      ...(kind === 'events'
        ? { orderBy: `(event, intDiv(time, 86400), ${BY_USER})` }
        : { orderBy: 'distinct_id', partitionBy: 'settle' }),
    };
  }

  /** Records that are being flushed. Of events with one insert id, `FINAL` reads the first. */
  incoming(kind: RecordKind): TableDefinition {
    const name = `${this.view(kind)}_incoming`;
    if (kind === 'people')
      return { name, columns: defined(RECORD_COLUMNS.people), orderBy: 'distinct_id', shardBy: BY_USER };
    const unnamed = 'if(isNull(insert_id), position, 0)';
    return {
      name,
      columns: `position UInt64, ${defined(RECORD_COLUMNS.events)}, earliness UInt64 MATERIALIZED 18446744073709551615 - position`,
      orderBy: `(ifNull(insert_id, ''), ${unnamed})`,
      shardBy: `cityHash64(ifNull(insert_id, ''), ${unnamed})`,
      keepsGreatest: 'earliness',
    };
  }

  /** What is made for a flush and dropped after it. */
  passing(kind: RecordKind): TableDefinition[] {
    return kind === 'events' ? [this.incoming(kind)] : [this.incoming(kind), this.updates];
  }

  /** The names of the columns that hold a record whole. */
  recordColumns(kind: RecordKind): string[] {
    return RECORD_COLUMNS[kind].map(([name]) => name);
  }

  /** The flushes whose records count: of events all, of people the last, which has everyone. */
  live(kind: RecordKind): string {
    const flushIds = kind === 'events' ? 'settle' : 'argMax(settle, number)';
    return `(SELECT ${flushIds} FROM ${this.topology.qualified(this.commits.name)} WHERE kind = '${kind}')`;
  }

  create(): string[] {
    return [this.commits, this.promoted, this.rows('events'), this.rows('people')].flatMap((table) =>
      this.topology.create(table),
    );
  }

  /**
   * What queries read: a view of the rows of a server, over one of all that it has, so that a query looks up what is there only after it
   * has found out which flushes count, and never sees a part of one. On a cluster, these views of all shards together.
   */
  createViews(kind: RecordKind, columns: readonly ClickHouseColumn[]): string[] {
    const { topology } = this;
    const all = `${this.view(kind)}_all`;
    const visible = [...RECORD_COLUMNS[kind], ...columns];
    const names = visible.map(([name]) => name).join(', ');
    const from = (name: string) => topology.qualified(topology.part(name));
    const isLive = `settle IN ${this.live(kind)}`;
    return [
      topology.createView(all, `SELECT settle, ${names} FROM ${from(this.rows(kind).name)}`),
      topology.createView(this.view(kind), `SELECT ${names} FROM ${from(all)} WHERE ${isLive}`),
      ...topology.gather(this.view(kind), visible.map(([name, type]) => `${name} ${type}`).join(', ')),
    ];
  }

  /** The views go first: without them the version is unknown. */
  drop(): string[] {
    const kinds = ['events', 'people'] as const;
    const tables = kinds
      .flatMap((kind) => [...this.passing(kind), this.rows(kind)])
      .concat(this.promoted, this.commits);
    return [
      ...kinds
        .map((kind) => this.view(kind))
        .flatMap((view) => [
          ...this.topology.dropGathered(view),
          ...[view, `${view}_all`].map((name) => this.topology.dropView(name)),
        ]),
      ...tables.flatMap((table) => this.topology.drop(table)),
    ];
  }
}

function defined(columns: readonly ClickHouseColumn[]): string {
  return columns.map((column) => column.join(' ')).join(', ');
}
