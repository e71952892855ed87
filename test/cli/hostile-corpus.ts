import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeParquetSchema } from './parquet-schema.ts';
import { runStatements } from './query-files.ts';

/** A refusal: the exit code and a part of the message. */
type Refusal = readonly [code: number, says: string];

/** A file from a stranger and what commands do with it. */
export interface HostileFile {
  readonly name: string;
  /** Writes the file. `secret` is a file beside it. */
  readonly write: (file: string, secret: string) => Promise<void> | void;
  /** The number of its records, or why it is refused. */
  readonly outcome: number | Refusal;
  /** The outcomes of some commands, if they differ. */
  readonly other?: Readonly<Partial<Record<Command, number | Refusal>>>;
  readonly options?: readonly string[];
}

export type Command = 'count' | 'filter' | 'describe' | 'import' | 'play';

const EVENTS = `SELECT 'buy' AS event, 1750000000 AS time, 'u' || i AS distinct_id, i AS amount FROM range(3) AS of(i)`;

/** Returns how to write a .duckdb file with statements in which `it` is the file. */
function database(statements: (secret: string, file: string) => readonly string[]): HostileFile['write'] {
  return (file, secret) => runStatements([`ATTACH '${file}' AS it`, ...statements(secret, file), 'DETACH it']);
}

const events = database(() => [`CREATE TABLE it.events AS ${EVENTS}`]);

function view(query: (secret: string) => string): HostileFile['write'] {
  return database((secret) => [`CREATE VIEW it.events AS ${query(secret)}`]);
}

/** Returns how to write a table with a generated column. */
function generated(sql: string): HostileFile['write'] {
  return database(() => [
    `CREATE TABLE it.events (event VARCHAR, time BIGINT, distinct_id VARCHAR, amount BIGINT, made AS (${sql}))`,
    `INSERT INTO it.events SELECT 'buy', 1750000000, 'u', i FROM range(3) AS of(i)`,
  ]);
}

function damaged(write: HostileFile['write'], damage: (bytes: Buffer) => Buffer): HostileFile['write'] {
  return async (file, secret) => {
    await write(file, secret);
    writeFileSync(file, damage(readFileSync(file)));
  };
}

const parquet: HostileFile['write'] = (file) => runStatements([`COPY (${EVENTS}) TO '${file}' (FORMAT parquet)`]);

const text = (content: string | Uint8Array) => (file: string) => writeFileSync(file, content);

const CSV = 'event,time,distinct_id,amount\n';
const row = (cell: string) => `buy,1750000000,u,${cell}\n`;
const json = (properties: string) =>
  `{"event":"buy","properties":{"time":1750000000,"distinct_id":"u","amount":${properties}}}\n`;

const VIEW: Refusal = [3, 'events is a view. Only tables with stored columns are read'];
const GENERATED: Refusal = [3, 'events has generated columns. Only tables with stored columns are read'];

export const HOSTILE_FILES: readonly HostileFile[] = [
  // Views
  { name: 'view-of-a-file.duckdb', write: view((secret) => `FROM read_text('${secret}')`), outcome: VIEW },
  { name: 'view-of-a-folder.duckdb', write: view((secret) => `FROM glob('${dirname(secret)}/*')`), outcome: VIEW },
  {
    name: 'view-of-a-database.duckdb',
    write: async (file, secret) => {
      await events(`${file}.other`, secret);
      await view(() => `FROM read_duckdb('${file}.other', table_name = 'events')`)(file, secret);
    },
    outcome: VIEW,
  },
  {
    name: 'view-of-a-pipe.duckdb',
    write: async (file, secret) => {
      writeFileSync(`${file}.fifo`, 'amount');
      await view(() => `FROM read_csv('${file}.fifo', columns = {amount: 'VARCHAR'}, auto_detect = false)`)(
        file,
        secret,
      );
      rmSync(`${file}.fifo`);
      execFileSync('mkfifo', [`${file}.fifo`]);
    },
    outcome: VIEW,
  },
  {
    name: 'view-without-an-end.duckdb',
    write: view(() => 'SELECT count(*) AS amount FROM range(100000000000), range(100000000000)'),
    outcome: VIEW,
  },
  {
    name: 'view-chosen.duckdb',
    write: database((secret) => [
      `CREATE TABLE it.one AS ${EVENTS}`,
      `CREATE VIEW it.events AS FROM read_text('${secret}')`,
    ]),
    options: ['--table', 'events'],
    outcome: VIEW,
  },
  {
    name: 'view-beside-a-table.duckdb',
    write: database((secret) => [
      `CREATE TABLE it.one AS ${EVENTS}`,
      `CREATE VIEW it.events AS FROM read_text('${secret}')`,
    ]),
    outcome: 3,
  },
  // Tables and functions
  {
    name: 'macros.duckdb',
    write: database((secret) => [
      ...['to_json', 'lower', 'onwhere_text', 'onwhere_time', 'count'].map(
        (name) => `CREATE MACRO it.${name}(x) AS (SELECT content FROM read_text('${secret}'))`,
      ),
      `CREATE MACRO it.range(x) AS TABLE FROM read_text('${secret}')`,
      `CREATE TABLE it.events AS ${EVENTS}`,
    ]),
    outcome: 3,
  },
  { name: 'generated-column.duckdb', write: generated("current_setting('allowed_paths')"), outcome: GENERATED },
  { name: 'generated-strings.duckdb', write: generated(`repeat('A', CAST(amount AS BIGINT))`), outcome: GENERATED },
  {
    name: 'not-generated.duckdb',
    write: database(() => [
      `CREATE TABLE it.events ("GENERATED ALWAYS AS" VARCHAR DEFAULT 'GENERATED ALWAYS AS', event VARCHAR, time BIGINT,
        distinct_id VARCHAR)`,
      "INSERT INTO it.events VALUES ('1', 'buy', 1750000000, 'u')",
    ]),
    outcome: 1,
  },
  {
    name: 'too-long.duckdb',
    write: database(() => [
      "CREATE TABLE it.events AS SELECT 'buy' AS event, 1750000000 AS time, 'u' AS distinct_id FROM range(100000)",
    ]),
    options: ['--time-limit', '0.001'],
    outcome: [3, 'DuckDB takes longer than 0.001 s. Raise the limit with --time-limit'],
  },
  {
    name: 'too-large.duckdb',
    write: database(() => [`CREATE TABLE it.events AS SELECT *, repeat('A', 5000000) AS long FROM (${EVENTS})`]),
    options: ['--memory-limit', '4MB'],
    other: { count: 3 },
    outcome: [3, 'DuckDB needs more memory than 4MB. Raise the limit with --memory-limit'],
  },
  {
    name: 'hostile-names.duckdb',
    write: database((secret) => [
      `CREATE SCHEMA it."s""; FROM read_text('${secret}')"`,
      `CREATE TABLE it."s""; FROM read_text('${secret}')"."t'""); FROM read_text('${secret}') --" AS
        SELECT *, 1 AS "a'""); \x1b[2J --", 2 AS "\u202e", 3 AS "__proto__" FROM (${EVENTS})`,
    ]),
    outcome: 3,
  },
  {
    name: 'two-tables.duckdb',
    write: database(() => [`CREATE TABLE it."\x1b[31ma" AS ${EVENTS}`, `CREATE TABLE it.b AS ${EVENTS}`]),
    outcome: [2, 'has several tables. Choose one with --table: \ufffd[31ma, b'],
  },
  {
    name: 'long-string.duckdb',
    write: database(() => [`CREATE TABLE it.events AS SELECT *, repeat('A', 5000000) AS long FROM (${EVENTS})`]),
    outcome: 3,
  },
  // Damage
  { name: 'cut-off.duckdb', write: damaged(events, (bytes) => bytes.subarray(0, 5000)), outcome: [3, 'Cannot read'] },
  {
    name: 'flipped-bytes.duckdb',
    write: damaged(events, (bytes) => bytes.fill(0xff, 12_288, 20_000)),
    outcome: [3, 'Cannot read'],
  },
  { name: 'signature-only.duckdb', write: text('12345678DUCK and more'), outcome: [3, 'Cannot read'] },
  {
    name: 'other-log.duckdb',
    write: async (file, secret) => {
      await events(file, secret);
      symlinkSync(secret, `${file}.wal`);
    },
    outcome: 3,
  },
  // Parquet
  { name: 'cut-off.parquet', write: damaged(parquet, (bytes) => bytes.subarray(0, -20)), outcome: [3, 'Cannot read'] },
  {
    name: 'footer-size.parquet',
    write: damaged(parquet, (bytes) => bytes.fill(0xff, bytes.length - 8, bytes.length - 4)),
    outcome: [3, 'Cannot read'],
  },
  {
    name: 'flipped-bytes.parquet',
    write: damaged(parquet, (bytes) => bytes.fill(0xff, 10, 120)),
    outcome: [3, 'Cannot read'],
    other: { count: 3 },
  },
  { name: 'too-few-columns.parquet', write: writeParquetSchema([3, 0]), outcome: [3, 'Cannot read'] },
  { name: 'billion-columns.parquet', write: writeParquetSchema([1_000_000_000, 0]), outcome: [3, 'Cannot read'] },
  {
    name: 'deep-schema.parquet',
    write: writeParquetSchema([...Array.from({ length: 1000 }, () => 1), 0]),
    outcome: [3, 'its columns are nested more than 128 levels deep'],
  },
  {
    name: 'pattern[*]?.parquet',
    write: async (file, secret) => {
      await parquet(join(dirname(file), 'pattern*a.parquet'), secret);
      await parquet(`${file}.part`, secret);
      renameSync(`${file}.part`, file);
    },
    outcome: 3,
  },
  {
    name: 'event=stolen/partition.parquet',
    write: (file, secret) => {
      mkdirSync(dirname(file), { recursive: true });
      return parquet(file, secret);
    },
    outcome: 3,
  },
  // CSV
  {
    name: 'open-quote.csv',
    write: text(`${CSV}${row('"open')}${row('1').repeat(1000)}`),
    outcome: [3, ':2: an unclosed quote'],
  },
  {
    name: 'many-columns.csv',
    write: text(`${Array.from({ length: 20_000 }, (_, index) => `c${index}`).join(',')}\n${'1,'.repeat(19_999)}1\n`),
    outcome: 1,
    other: { import: [3, 'Nothing was imported'] },
  },
  { name: 'nul.csv', write: text(`${CSV}${row('\0')}`), outcome: 1 },
  {
    name: 'file-names.csv',
    write: (file, secret) => writeFileSync(file, `${CSV}${row(secret)}${row('=1+1')}`),
    outcome: 2,
  },
  { name: 'bomb.csv.gz', write: text(gzipSync(`${CSV}${row('1').repeat(20_000)}`)), outcome: 20_000 },
  // JSON
  {
    name: 'deep.ndjson',
    write: text(json(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)),
    outcome: 1,
    other: { import: [3, 'is nested more than 128 levels deep'] },
  },
  { name: 'deep-array.json', write: text('['.repeat(1_000_000)), outcome: [3, 'the file ends within this element'] },
  { name: 'prototype.ndjson', write: text(json('{"__proto__":{"a":1}}')), outcome: 1 },
  {
    name: 'not-utf8.ndjson',
    write: text(Buffer.from(json('"\xff\xfe"'), 'latin1')),
    outcome: 0,
    other: { import: [3, 'not UTF-8 text'] },
  },
  { name: 'binary.json', write: text(Buffer.alloc(10_000, 0x80)), outcome: [3, 'not UTF-8 text'] },
];
