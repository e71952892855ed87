import type { RecordKind, StoredVersion } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { TableDefinition, Topology } from './topology.ts';

/** A column with its type and compression codec. */
export type ClickHouseColumn = readonly [name: string, type: string, codec?: string];

/** The columns that hold a complete record. */
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

/** Keeps the events of a user on one shard, so that per-user queries run there. */
const BY_USER = 'cityHash64(distinct_id)';

/** The column with the ID of a flush, and that with the log files it added. Existing tables have them under these names. */
export const FLUSH_COLUMN = 'settle';
export const LOG_FILES_COLUMN = 'segments';

/** The tables and views of a version. All names contain its ID, which has only letters and digits. */
export class VersionTables {
  /** The committed flushes in order, each with its log files, and with number 0 the abandoned ones. */
  readonly commits: TableDefinition;
  /** The names of promoted properties by number. */
  readonly promoted: TableDefinition;
  /** The updates of people being flushed, in order. */
  readonly updates: TableDefinition;

  /** @param flushId the flush whose temporary tables are meant; absent if none is */
  constructor(
    { id }: Pick<StoredVersion, 'id'>,
    private readonly topology: Topology,
    flushId?: number,
  ) {
    if (!/^[A-Za-z0-9]+$/.test(id))
      throw new StoreError(`A version ID has only letters and digits, not ${JSON.stringify(id)}.`);
    this.id = id;
    this.suffix = flushId === undefined ? '' : `_${flushId}`;
    this.commits = {
      name: `version_${id}_commits`,
      columns: `kind LowCardinality(String), number UInt32, ${FLUSH_COLUMN} UInt64, ${LOG_FILES_COLUMN} Array(String)`,
      orderBy: '(kind, number)',
    };
    this.promoted = {
      name: `version_${id}_promoted`,
      columns: 'kind LowCardinality(String), number UInt32, name String',
      orderBy: '(kind, number)',
    };
    this.updates = {
      name: `people_${id}_updates${this.suffix}`,
      columns:
        'position UInt64, line String CODEC(ZSTD(1)), ' +
        "distinct_id String DEFAULT onwhere_content(line, '$distinct_id')",
      orderBy: '(distinct_id, position)',
      shardBy: BY_USER,
    };
  }

  private readonly id: string;
  private readonly suffix: string;

  /** Returns the same tables with the temporary ones of a flush. */
  forFlush(flushId: number): VersionTables {
    return new VersionTables({ id: this.id }, this.topology, flushId);
  }

  /** Returns the name of the view that queries read: the records of committed flushes. */
  view(kind: RecordKind): string {
    return `${kind}_${this.id}`;
  }

  /** Defines the table of all records, each with the ID of its flush. */
  rows(kind: RecordKind): TableDefinition {
    return {
      name: `${this.view(kind)}_rows`,
      columns: `${FLUSH_COLUMN} UInt64 CODEC(ZSTD(1)), ${formatColumns(RECORD_COLUMNS[kind])}`,
      shardBy: BY_USER,
      ...(kind === 'events'
        ? { orderBy: `(event, intDiv(time, 86400), ${BY_USER})` }
        : { orderBy: 'distinct_id', partitionBy: FLUSH_COLUMN }),
    };
  }

  /** Defines the table of records being flushed. With `FINAL`, it returns the first event of each insert ID. */
  incoming(kind: RecordKind): TableDefinition {
    const name = `${this.view(kind)}_incoming${this.suffix}`;
    if (kind === 'people')
      return { name, columns: formatColumns(RECORD_COLUMNS.people), orderBy: 'distinct_id', shardBy: BY_USER };
    const unnamed = 'if(isNull(insert_id), position, 0)';
    const earliness = 'earliness UInt64 MATERIALIZED 18446744073709551615 - position';
    return {
      name,
      columns: `position UInt64, ${formatColumns(RECORD_COLUMNS.events)}, ${earliness}`,
      orderBy: `(ifNull(insert_id, ''), ${unnamed})`,
      shardBy: `cityHash64(ifNull(insert_id, ''), ${unnamed})`,
      versionColumn: 'earliness',
    };
  }

  /**
   * Returns the tables that are created for a flush and dropped after it. Their names are those of the flush, so that a
   * late statement of another one cannot add rows.
   */
  temporary(kind: RecordKind): TableDefinition[] {
    return kind === 'events' ? [this.incoming(kind)] : [this.incoming(kind), this.updates];
  }

  /** Returns a regular expression for the names of the temporary tables of all flushes, with the ID of the flush. */
  temporaryPattern(kind: RecordKind): string {
    return `^${this.view(kind)}_(?:incoming|updates)(?:_([0-9]+))?(?:_shard)?$`;
  }

  /** Returns the names of the columns that hold a complete record. */
  recordColumns(kind: RecordKind): string[] {
    return RECORD_COLUMNS[kind].map(([name]) => name);
  }

  /**
   * Returns SQL for a table of the committed flushes, with `flush`, `number` and `files`. An abandoned flush is not
   * committed, whichever row comes first, so that all servers agree.
   */
  commitsOf(kind: RecordKind): string {
    return `(SELECT ${FLUSH_COLUMN} AS flush, min(c.number) AS number, any(c.${LOG_FILES_COLUMN}) AS files
FROM ${this.topology.qualify(this.commits.name)} AS c WHERE kind = '${kind}' GROUP BY flush HAVING number > 0)`;
  }

  /** Returns SQL for the visible flushes: all of events, and the last of people, which contains everyone. */
  committed(kind: RecordKind): string {
    return `(SELECT ${kind === 'events' ? 'flush' : 'argMax(flush, number)'} FROM ${this.commitsOf(kind)})`;
  }

  /** Creates the permanent tables. */
  create(): string[] {
    return [this.commits, this.promoted, this.rows('events'), this.rows('people')].flatMap((table) =>
      this.topology.create(table),
    );
  }

  /**
   * Creates the view that queries read. It selects from a second view of all rows, so that a query lists the parts of
   * the table only after it has read the commits, and never sees half a flush. On a cluster, adds a table over the
   * views of all shards.
   */
  createViews(kind: RecordKind, columns: readonly ClickHouseColumn[]): string[] {
    const { topology } = this;
    const all = `${this.view(kind)}_all`;
    const visible = [...RECORD_COLUMNS[kind], ...columns];
    const names = visible.map(([name]) => name).join(', ');
    const from = (name: string) => topology.qualify(topology.getLocal(name));
    const isCommitted = `${FLUSH_COLUMN} IN ${this.committed(kind)}`;
    return [
      topology.createView(all, `SELECT ${FLUSH_COLUMN}, ${names} FROM ${from(this.rows(kind).name)}`),
      topology.createView(this.view(kind), `SELECT ${names} FROM ${from(all)} WHERE ${isCommitted}`),
      ...topology.createDistributedView(this.view(kind), visible.map(([name, type]) => `${name} ${type}`).join(', ')),
    ];
  }

  /** Drops everything but temporary tables, views first: without them the version is unknown. */
  drop(): string[] {
    const kinds = ['events', 'people'] as const;
    const tables = [...kinds.map((kind) => this.rows(kind)), this.promoted, this.commits];
    return [
      ...kinds
        .map((kind) => this.view(kind))
        .flatMap((view) => [
          ...this.topology.dropDistributedView(view),
          ...[view, `${view}_all`].map((name) => this.topology.dropView(name)),
        ]),
      ...tables.flatMap((table) => this.topology.drop(table)),
    ];
  }
}

function formatColumns(columns: readonly ClickHouseColumn[]): string {
  return columns.map((column) => column.join(' ')).join(', ');
}
