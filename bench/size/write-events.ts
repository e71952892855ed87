import { loadPeer } from '../peers/load-peer.ts';
import { EVENT_NAMES, FIRST_DAY } from '../service/service-events.ts';
import { BROWSERS, COUNTRIES } from '../sql/sql-events.ts';

/** The days over which the events are spread, which are those of the queries. */
const DAYS = 30;
const NAMES = 20;

/** Few enough users that many complete the funnel and return. */
const USERS_PER_EVENT = 0.06;

interface Module {
  readonly DuckDBInstance: {
    create(
      path: string,
      options: Readonly<Record<string, string>>,
    ): Promise<{ connect(): Promise<{ run(sql: string): Promise<unknown>; closeSync(): void }>; closeSync(): void }>;
  };
}

export function countUsers(events: number): number {
  return Math.ceil(events * USERS_PER_EVENT);
}

/**
 * Writes events for an import as NDJSON, the same on every machine and like those of `writeServiceEvents`. DuckDB
 * writes them, which takes a second per million and constant memory.
 *
 * @param isSorted whether they are in the order of their times, as in most exports
 */
export async function writeSizeEvents(path: string, events: number, isSorted: boolean): Promise<void> {
  const { DuckDBInstance } = await loadPeer<Module>('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1GB' });
  const connection = await instance.connect();
  try {
    const format = `FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER E'\\x01'`;
    await connection.run(`COPY (${lowerLines(events, isSorted)}) TO '${path}' (${format})`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Returns SQL for a line for each event. Every drawn number is a hash of the number of the event. */
function lowerLines(events: number, isSorted: boolean): string {
  let drawn = 0;
  const draw = (choices: number) => `(hash(number, ${++drawn}) % ${choices})::BIGINT`;
  const choose = (texts: readonly string[]) =>
    `[${texts.map((text) => `'${text}'`).join(', ')}][${draw(texts.length)} + 1]`;
  const property = (name: string, value: string) => `concat(',"${name}":', ${value})`;
  const text = (sql: string) => `'"', ${sql}, '"'`;
  const twoDigits = (sql: string) => `lpad((${sql})::VARCHAR, 2, '0')`;
  const names = Array.from({ length: NAMES }, (_, index) => EVENT_NAMES[index] ?? `event ${index + 1}`);
  const amount = `(${draw(49_901)} + 100) / 100`;
  const [country, plan, kind] = [draw(20), draw(20), draw(10)];
  // The factor has no divisor in common with numbers of events that are powers of ten.
  const place = isSorted ? 'number' : `(number * 7654321) % ${events}`;
  const day = `'2025-0', ${draw(9)} + 1, '-', ${twoDigits(`${draw(28)} + 1`)}`;
  const hour = [24, 60, 60].map((choices) => twoDigits(draw(choices))).join(`, ':', `);
  return `SELECT concat(
    '{"event":', ${text(choose(names))}, ',"properties":{"distinct_id":"u', ${draw(countUsers(events))} + 1, '"',
    CASE WHEN ${country} > 0 THEN ${property('country', text(`CASE WHEN ${draw(10)} < 3 THEN 'US' ELSE ${choose(COUNTRIES.slice(1))} END`))} END,
    CASE WHEN ${plan} < 11 THEN ',"plan":"free"' WHEN ${plan} < 16 THEN ',"plan":"pro"' WHEN ${plan} < 19 THEN ',"plan":"team"' END,
    CASE WHEN ${kind} < 8 THEN ${property('amount', amount)} WHEN ${kind} < 9 THEN ${property('amount', text(amount))} END,
    ${property('quantity', `${draw(9)} + 1`)}, ${property('$browser', text(choose(BROWSERS)))},
    ${property('url', text(`'https://shop.example/p/', ${draw(9_999)} + 1, '?ref=', ${draw(2 ** 31)}`))},
    CASE ${draw(5)} WHEN 0 THEN '' WHEN 1 THEN ',"is_paid":true' WHEN 2 THEN ',"is_paid":true' ELSE ',"is_paid":false' END,
    CASE WHEN ${draw(10)} > 0 THEN ${property('signed_up', text(`${day}, 'T', ${hour}`))} END,
    ',"time":', ${FIRST_DAY} + ${place} * ${DAYS * 86_400} // ${events}, '}}')
  FROM range(${events}) AS numbers (number)`;
}
