const DAY = 86_400;

/** The start of the first day of the queries and the end of the last one, in Unix seconds. */
const [FROM, UNTIL] = [1_748_736_000, 1_748_736_000 + 30 * DAY];
const DATES = { from_date: '2025-06-01', to_date: '2025-06-30' };

/** The maximum time between the first and the last step of the funnel, in seconds. */
const LENGTH = 7 * DAY;

const STEPS = JSON.stringify(['view', 'add to cart', 'purchase'].map((event) => ({ event })));

/** Returns the column of a promoted property for a type. */
export type ColumnOf = (property: string, type: 'number' | 'string') => string;

/** A row of numbers and strings. */
export type Row = readonly unknown[];

/** The properties that the queries read. */
export const READ_PROPERTIES = ['amount', 'country', 'plan'];

/** Answers queries. */
export interface QueryClient {
  /** Returns the body of the response. */
  query(path: string, parameters: Readonly<Record<string, string>>): Promise<string>;
}

/** A query to the server, and the same query as SQL by hand. */
export interface QueryCase {
  readonly name: string;
  readonly path: string;
  /**
   * Returns the parameters. Those of different serial numbers have the same answer and are different questions, so that
   * the server cannot use a cached answer.
   */
  readonly parameters: (serial: number) => Readonly<Record<string, string>>;
  readonly byHand: (column: ColumnOf) => string;
  /** Converts a response to the rows that the SQL returns, in any order. */
  readonly rows: (answer: never) => readonly Row[];
}

interface Series {
  readonly data: {
    readonly values: Readonly<Record<string, Readonly<Record<string, number>>>>;
  };
}

interface Funnel {
  readonly data: Readonly<Record<string, { readonly steps: readonly { count: number; avg_time: number | null }[] }>>;
}

type Retention = Readonly<Record<string, { readonly first: number; readonly counts: readonly number[] }>>;

type Addiction = Readonly<Record<string, readonly number[]>>;

interface Page {
  readonly results: readonly { readonly $distinct_id: string; readonly $properties: object }[];
  readonly total: number;
}

const PURCHASES = `event = 'purchase' AND time >= ${FROM} AND time < ${UNTIL}`;

/** The queries of this section. */
export const QUERY_CASES: readonly QueryCase[] = [
  {
    name: 'query: segmentation',
    path: '/segmentation/',
    parameters: (serial) => ({
      event: 'purchase',
      ...DATES,
      on: 'properties["country"]',
      where: 'properties["plan"] == "pro" and properties["amount"] > 100',
      limit: String(100 + serial),
    }),
    byHand: (
      column,
    ) => `SELECT coalesce(${column('country', 'string')}, 'undefined') AS country, time // ${DAY} AS day, count(*) AS events
FROM events
WHERE ${PURCHASES} AND ${column('plan', 'string')} = 'pro' AND ${column('amount', 'number')} > 100
GROUP BY country, day`,
    rows: seriesRows,
  },
  {
    name: 'query: uniques',
    path: '/segmentation/',
    parameters: (serial) => ({ event: 'purchase', ...DATES, type: 'unique', limit: String(serial) }),
    byHand: () => `SELECT 'purchase', time // ${DAY} AS day, count(DISTINCT distinct_id) AS users
FROM events
WHERE ${PURCHASES}
GROUP BY day`,
    rows: seriesRows,
  },
  {
    name: 'query: numeric',
    path: '/segmentation/numeric/',
    parameters: (serial) => ({ event: 'purchase', ...DATES, on: 'properties["amount"]', where: `now > ${serial}` }),
    byHand: (column) => `WITH
  amounts AS (
    SELECT ${column('amount', 'number')} AS amount, time // ${DAY} AS day
    FROM events
    WHERE ${PURCHASES} AND amount IS NOT NULL
  ),
  ranges AS (
    SELECT min(width) AS width
    FROM
      unnest([1, 2, 2.5, 5, 10, 20, 25, 50, 100, 200, 250, 500]) AS widths (width),
      (SELECT min(amount) AS least, max(amount) AS most FROM amounts)
    WHERE floor(most / width) - floor(least / width) < 12
  )
SELECT floor(amount / width) * width AS low, day, count(*) AS events
FROM amounts, ranges
GROUP BY low, day`,
    rows: (answer: Series) => seriesRows(answer).map(([range, ...rest]) => [Number.parseFloat(String(range)), ...rest]),
  },
  {
    name: 'query: funnel',
    path: '/funnels/',
    parameters: (serial) => ({ steps: STEPS, length: '7', ...DATES, interval: '30', limit: String(serial) }),
    // Events in the same second count in the order of the steps.
    byHand: () => `WITH
  views AS (SELECT distinct_id, time FROM events WHERE event = 'view' AND time >= ${FROM} AND time < ${UNTIL}),
  carts AS (SELECT distinct_id, time FROM events WHERE event = 'add to cart' AND time >= ${FROM} AND time < ${UNTIL + LENGTH}),
  purchases AS (SELECT distinct_id, time FROM events WHERE event = 'purchase' AND time >= ${FROM} AND time < ${UNTIL + LENGTH}),
  attempts AS (
    SELECT
      views.distinct_id,
      views.time AS first,
      CASE WHEN carts.time <= views.time + ${LENGTH} THEN carts.time END AS second,
      CASE WHEN purchases.time <= views.time + ${LENGTH} THEN purchases.time END AS third
    FROM views
    ASOF LEFT JOIN carts ON carts.distinct_id = views.distinct_id AND carts.time >= views.time
    ASOF LEFT JOIN purchases ON purchases.distinct_id = carts.distinct_id AND purchases.time >= carts.time
  ),
  furthest AS (
    SELECT DISTINCT ON (distinct_id) *
    FROM attempts
    ORDER BY distinct_id, third IS NULL, second IS NULL, first
  )
SELECT count(*), NULL, count(second), avg(second - first), count(third), avg(third - second) FROM furthest`,
    rows: ({ data }: Funnel) =>
      Object.values(data).map(({ steps }) => steps.flatMap(({ count, avg_time }) => [count, avg_time])),
  },
  {
    name: 'query: retention',
    path: '/retention/',
    parameters: (serial) => ({
      born_event: 'sign up',
      event: 'purchase',
      ...DATES,
      interval_count: '30',
      limit: String(serial),
    }),
    byHand: () => `WITH
  births AS (SELECT distinct_id, min(time) AS born FROM events WHERE event = 'sign up' GROUP BY distinct_id),
  cohorts AS (SELECT * FROM births WHERE born >= ${FROM} AND born < ${UNTIL}),
  returns AS (
    SELECT DISTINCT distinct_id, born // ${DAY} AS day, time // ${DAY} - born // ${DAY} AS interval
    FROM cohorts JOIN events USING (distinct_id)
    WHERE event = 'purchase' AND time >= born
  )
SELECT day, interval, count(*) AS users FROM returns WHERE interval <= 30 GROUP BY day, interval
UNION ALL
SELECT born // ${DAY} AS day, NULL, count(*) AS users FROM cohorts GROUP BY day`,
    rows: (answer: Retention) =>
      Object.entries(answer).flatMap(([label, { first, counts }]) => [
        [dayOf(label), null, first],
        ...counts.map((users, interval) => [dayOf(label), interval, users]),
      ]),
  },
  {
    name: 'query: addiction',
    path: '/retention/addiction/',
    parameters: (serial) => ({
      event: 'purchase',
      ...DATES,
      unit: 'month',
      addiction_unit: 'day',
      limit: String(serial),
    }),
    byHand: () => `SELECT days, count(*) AS users
FROM (SELECT distinct_id, count(DISTINCT time // ${DAY}) AS days FROM events WHERE ${PURCHASES} GROUP BY distinct_id)
GROUP BY days`,
    // The response counts the users of at least so many days.
    rows: (answer: Addiction) =>
      Object.values(answer).flatMap((counts) =>
        counts.map((users, index) => [index + 1, users - (counts[index + 1] ?? 0)]),
      ),
  },
  {
    name: 'query: events',
    path: '/events/',
    // The event that does not exist has no counts.
    parameters: (serial) => ({ event: JSON.stringify(['view', 'purchase', 'share', `none ${serial}`]), ...DATES }),
    byHand: () => `SELECT event, time // ${DAY} AS day, count(*) AS events
FROM events
WHERE event IN ('view', 'purchase', 'share') AND time >= ${FROM} AND time < ${UNTIL}
GROUP BY event, day`,
    rows: seriesRows,
  },
  {
    name: 'query: properties',
    path: '/events/properties/',
    parameters: (serial) => ({ event: 'purchase', name: 'plan', ...DATES, limit: String(100 + serial) }),
    byHand: (column) => `SELECT ${column('plan', 'string')} AS plan, time // ${DAY} AS day, count(*) AS events
FROM events
WHERE ${PURCHASES} AND plan IS NOT NULL
GROUP BY plan, day`,
    rows: seriesRows,
  },
  {
    name: 'query: engage, first page',
    path: '/engage/',
    // A repeated query would get the same session, and sessions know a filter by its text.
    parameters: (serial) => ({ where: `${' '.repeat(serial)}true` }),
    byHand: () =>
      'SELECT distinct_id, properties, (SELECT count(*) FROM people) AS total FROM people ORDER BY distinct_id LIMIT 1000',
    rows: ({ results, total }: Page) =>
      results.map(({ $distinct_id, $properties }) => [$distinct_id, JSON.stringify($properties), total]),
  },
];

function dayOf(label: string): number {
  return Date.parse(`${label}T00:00:00Z`) / 1000 / DAY;
}

function seriesRows({ data: { values } }: Series): Row[] {
  return Object.entries(values).flatMap(([name, byDay]) =>
    Object.entries(byDay).map(([label, amount]) => [name, dayOf(label), amount]),
  );
}
