import { getPromotedColumnName, type PromotedProperty, type PropertyType } from '../promoted.ts';
import type { Rollups } from '../store-snapshot.ts';
import type { DuckDbConnection } from './database.ts';
import { COLUMN_TYPES } from './extraction.ts';
import { readPromoted } from './promoted-table.ts';

/** When rollups are kept, and how much is added to them at once. */
export interface RollupLimits {
  /** Versions with fewer events are read about as fast. */
  readonly minEvents: number;
  /** How many events a row must count on average. */
  readonly minEventsPerRow: number;
  /** The events of a part. Flushes wait for a part. */
  readonly part: number;
}

export const ROLLUP_LIMITS: RollupLimits = { minEvents: 20_000, minEventsPerRow: 4, part: 2_000_000 };

/** The maximum number of properties with a rollup, those promoted first. Each takes time when events are added. */
const MAX_PROPERTIES = 16;

const HOUR = 3_600;

/** The table of rollups: the number of each, and the time in Unix seconds before which it counts all events. */
export const ROLLUPS_TABLE = 'rollups';

export const ROLLUPS_COLUMNS = 'number INTEGER, "before" BIGINT';

/** The rollup of no property. Its number is less than those of properties. */
const WITHOUT_PROPERTY: PromotedProperty = { name: '', number: 0, types: [] };

/** The rollups of a version. All count the events before the same time. */
interface RollupState {
  /** Unix seconds, at the start of an hour. */
  readonly before: number;
  readonly rolled: readonly PromotedProperty[];
}

/** Returns the rollups of a version; undefined if it has none. */
export async function getRollups(
  connection: DuckDbConnection,
  schema: string,
  promoted: readonly PromotedProperty[],
): Promise<Rollups | undefined> {
  const { before, rolled } = await readState(connection, schema, promoted);
  const [all, ...others] = rolled;
  if (all === undefined) return undefined;
  const tableOf = ({ number }: PromotedProperty) => [JSON.parse(schema), getTableName(number)];
  return {
    before,
    table: tableOf(all),
    byProperty: Object.fromEntries(others.map((property) => [property.name, tableOf(property)])),
  };
}

/**
 * Adds the events of the next hours to the rollups of a version, which are created if there are none. Removes rollups
 * that count too few events per row. Returns whether there were such hours.
 */
export async function extendRollups(
  connection: DuckDbConnection,
  schema: string,
  { minEventsPerRow, part }: RollupLimits,
): Promise<boolean> {
  const { events: promoted } = await readPromoted(connection, schema);
  const { before, rolled: known } = await readState(connection, schema, promoted);
  const end = await findEnd(connection, schema, before, part);
  if (end <= before) return false;
  const next = `"time" >= ${before} AND "time" < ${end}`;
  const rolled = known.length > 0 ? known : await choose(connection, schema, promoted, next, minEventsPerRow);
  if (rolled.length === 0) return false;
  if (known.length === 0) for (const property of rolled) await createTable(connection, schema, property);
  for (const property of rolled) await addGroups(connection, schema, property, next);
  const counted = await connection.number(
    `SELECT coalesce(sum(weight), 0) FROM ${schema}.${getTableName(WITHOUT_PROPERTY.number)}`,
  );
  await connection.run(`DELETE FROM ${schema}.${ROLLUPS_TABLE}`);
  for (const { number } of rolled) {
    const table = `${schema}.${getTableName(number)}`;
    const rows = await connection.number(`SELECT count(*) FROM ${table}`);
    if (rows * minEventsPerRow > counted) await connection.run(`DROP TABLE ${table}`);
    else await connection.run(`INSERT INTO ${schema}.${ROLLUPS_TABLE} VALUES (${number}, ${end})`);
  }
  return true;
}

/** Adds events to a version, and those that are late to its rollups: these count their hours already. */
export async function addToRollups(
  connection: DuckDbConnection,
  schema: string,
  add: () => Promise<void>,
): Promise<void> {
  const hasRollups = (await connection.number(`SELECT count(*) FROM ${schema}.${ROLLUPS_TABLE}`)) > 0;
  if (!hasRollups) return add();
  const first = await connection.number(`SELECT coalesce(max(rowid) + 1, 0) FROM ${schema}.events`);
  await add();
  const { events: promoted } = await readPromoted(connection, schema);
  const { before, rolled } = await readState(connection, schema, promoted);
  const late = `rowid >= ${first} AND "time" < ${before}`;
  if ((await connection.number(`SELECT count(*) FROM ${schema}.events WHERE ${late}`)) === 0) return;
  for (const property of rolled) await addGroups(connection, schema, property, late);
}

/** Adds columns for types of a property that no event had before to its rollup, if it has one. */
export async function widenRollup(
  connection: DuckDbConnection,
  schema: string,
  property: PromotedProperty,
  types: readonly PropertyType[],
): Promise<void> {
  const { rolled } = await readState(connection, schema, [property]);
  if (!rolled.includes(property)) return;
  for (const type of types) {
    const column = `${getPromotedColumnName(property, type)} ${COLUMN_TYPES[type]}`;
    await connection.run(`ALTER TABLE ${schema}.${getTableName(property.number)} ADD COLUMN ${column}`);
  }
}

/** Removes the rollups of a version. Later parts build them again. */
export async function dropRollups(connection: DuckDbConnection, schema: string): Promise<void> {
  const rows = await connection.rows(`SELECT number FROM ${schema}.${ROLLUPS_TABLE}`);
  for (const [number] of rows) await connection.run(`DROP TABLE ${schema}.${getTableName(Number(number))}`);
  await connection.run(`DELETE FROM ${schema}.${ROLLUPS_TABLE}`);
}

/** Returns whether the rollups of a version count its events. */
export async function areRollupsExact(connection: DuckDbConnection, schema: string): Promise<boolean> {
  const { events: promoted } = await readPromoted(connection, schema);
  const { before, rolled } = await readState(connection, schema, promoted);
  for (const property of rolled) {
    const columns = ['"event"', '"time"', ...listColumns(property)].join(', ');
    const table = `${schema}.${getTableName(property.number)}`;
    const found = `(SELECT ${columns}, sum(weight) AS weight FROM ${table} GROUP BY ALL)`;
    const expected = `(${lowerGroups(schema, property, `"time" < ${before}`)})`;
    const differences = `(FROM ${found} EXCEPT FROM ${expected}) UNION ALL (FROM ${expected} EXCEPT FROM ${found})`;
    if ((await connection.number(`SELECT count(*) FROM (${differences})`)) > 0) return false;
  }
  return true;
}

async function readState(
  connection: DuckDbConnection,
  schema: string,
  promoted: readonly PromotedProperty[],
): Promise<RollupState> {
  const rows = await connection.rows(`SELECT number, "before" FROM ${schema}.${ROLLUPS_TABLE}`);
  const numbers = new Set(rows.map(([number]) => Number(number)));
  return {
    before: Number(rows[0]?.[1] ?? 0),
    rolled: [WITHOUT_PROPERTY, ...promoted].filter(({ number }) => numbers.has(number)),
  };
}

/** Returns the start of the hour up to which the next part of the events is added. The last hour may still grow. */
async function findEnd(connection: DuckDbConnection, schema: string, before: number, part: number): Promise<number> {
  const hours = `SELECT "time" // ${HOUR} AS hour, count(*) AS events
    FROM ${schema}.events WHERE "time" >= ${before} GROUP BY hour`;
  const totals = `SELECT hour, sum(events) OVER (ORDER BY hour) AS total FROM (${hours})`;
  const hour = `coalesce(min(hour) FILTER (total >= ${part}) + 1, max(hour), 0)`;
  return HOUR * (await connection.number(`SELECT ${hour} FROM (${totals})`));
}

/**
 * Chooses what to count by the events of a condition. Estimates are enough: tables that turn out too large are removed,
 * but their room stays in the file.
 */
async function choose(
  connection: DuckDbConnection,
  schema: string,
  promoted: readonly PromotedProperty[],
  condition: string,
  minEventsPerRow: number,
): Promise<readonly PromotedProperty[]> {
  const candidates = [WITHOUT_PROPERTY, ...promoted.slice(0, MAX_PROPERTIES)];
  const estimates = candidates.map(
    (property) =>
      `approx_count_distinct(hash("event", "time" // ${HOUR}${listColumns(property)
        .map((name) => `, ${name}`)
        .join('')}))`,
  );
  const [[events, ...rows] = []] = await connection.rows(
    `SELECT count(*), ${estimates.join(', ')} FROM ${schema}.events WHERE ${condition}`,
  );
  const isWorthwhile = (index: number) => Number(rows[index]) * minEventsPerRow <= Number(events);
  return isWorthwhile(0) ? candidates.filter((_, index) => isWorthwhile(index)) : [];
}

async function createTable(connection: DuckDbConnection, schema: string, property: PromotedProperty): Promise<void> {
  const own = property.types.map((type) => `${getPromotedColumnName(property, type)} ${COLUMN_TYPES[type]}`);
  const columns = ['"event" VARCHAR', '"time" BIGINT', 'weight BIGINT', ...own];
  await connection.run(`CREATE TABLE ${schema}.${getTableName(property.number)} (${columns.join(', ')})`);
}

async function addGroups(
  connection: DuckDbConnection,
  schema: string,
  property: PromotedProperty,
  condition: string,
): Promise<void> {
  await connection.run(
    `INSERT INTO ${schema}.${getTableName(property.number)} BY NAME
    ${lowerGroups(schema, property, condition)} ORDER BY "event", "time"`,
  );
}

/** Returns SQL for how many events of a condition have each name, hour and value of a property. */
function lowerGroups(schema: string, property: PromotedProperty, condition: string): string {
  const columns = ['"event"', `"time" // ${HOUR} * ${HOUR} AS "time"`, ...listColumns(property), 'count(*) AS weight'];
  return `SELECT ${columns.join(', ')} FROM ${schema}.events WHERE ${condition} GROUP BY ALL`;
}

function listColumns(property: PromotedProperty): string[] {
  return property.types.map((type) => getPromotedColumnName(property, type));
}

function getTableName(number: number): string {
  return `rollup_${number}`;
}
