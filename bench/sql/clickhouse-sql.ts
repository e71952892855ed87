import { join } from 'node:path';
import { clickhouse } from '../../src/lang/engines/sql/dialects/clickhouse.ts';
import { loadPeer } from '../peers/load-peer.ts';
import type { Reads } from './sql-case.ts';
import type { SqlDatabase } from './sql-database.ts';

interface Session {
  query(sql: string, format: string): string;
  queryBind(sql: string, parameters: Readonly<Record<string, unknown>>, format: string): string;
  cleanup(): void;
}

interface Module {
  readonly Session: new (path: string) => Session;
}

const TYPES = {
  country: 'Nullable(String)',
  plan: 'Nullable(String)',
  amount: 'Nullable(Float64)',
  amount_text: 'Nullable(String)',
  quantity: 'Nullable(Float64)',
  url: 'Nullable(String)',
  is_paid: 'Nullable(Bool)',
  signed_up: 'Nullable(String)',
};

const SELECTED = {
  columns: Object.keys(TYPES).join(', '),
  json: 'properties',
  map: "JSONExtract(properties, 'Map(String, String)') AS properties",
};

const FORMAT = 'JSONCompactEachRow';

/** Returns reads that cast strings. */
function castReads(text: Reads['text']): Reads {
  return {
    text,
    number: (name) => `toFloat64OrNull(${text(name)})`,
    boolean: (name) => `${text(name)} = 'true'`,
    time: (name) => `parseDateTimeBestEffortOrNull(${text(name)}, 'UTC')`,
  };
}

const identity = (name: string) => name;

/** ClickHouse in this process, with its own files. */
export const CLICKHOUSE_SQL: SqlDatabase = {
  dialect: clickhouse,
  reads: {
    columns: {
      text: identity,
      number: (name) => (name === 'amount' ? 'coalesce(amount, toFloat64OrNull(amount_text))' : name),
      boolean: identity,
      time: (name) => `parseDateTimeBestEffortOrNull(${name}, 'UTC')`,
    },
    json: {
      ...castReads((name) => `JSONExtractString(properties, '${name}')`),
      number: (name) => `JSONExtract(properties, '${name}', 'Nullable(Float64)')`,
      boolean: (name) => `JSONExtractBool(properties, '${name}')`,
    },
    map: castReads((name) => `properties['${name}']`),
  },
  load(layout, file) {
    const types = Object.entries({ ...TYPES, properties: 'String' }).map(([name, type]) => `${name} ${type}`);
    return [
      `CREATE TABLE ${layout} ENGINE = MergeTree ORDER BY tuple() AS
SELECT ${SELECTED[layout]} FROM file('${file}', 'JSONEachRow', '${types.join(', ')}')`,
    ];
  },
  async open(folder) {
    const { Session } = await loadPeer<Module>('chdb');
    const session = new Session(join(folder, 'clickhouse'));
    return {
      async query(sql, parameters) {
        const bound = Object.fromEntries(parameters.map((value, index) => [`p${index + 1}`, value]));
        const lines = parameters.length === 0 ? session.query(sql, FORMAT) : session.queryBind(sql, bound, FORMAT);
        return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
      },
      close: () => session.cleanup(),
    };
  },
};
