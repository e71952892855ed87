/** The column types of each property of the events. */
const PROPERTIES = {
  country: ['VARCHAR'],
  plan: ['VARCHAR'],
  amount: ['DOUBLE', 'VARCHAR'],
  quantity: ['DOUBLE'],
  $browser: ['VARCHAR'],
  url: ['VARCHAR'],
  is_paid: ['BOOLEAN'],
  signed_up: ['VARCHAR'],
} as const;

const NAMES = Object.keys(PROPERTIES) as (keyof typeof PROPERTIES)[];

/** Returns SQL that loads a file into one JSON column, which is the least work for DuckDB. */
export function loadJson(file: string): string {
  return `CREATE TABLE events AS SELECT * FROM read_ndjson('${file}', columns = {event: 'VARCHAR', properties: 'JSON'})`;
}

/**
 * Returns SQL by hand that loads a file into the layout of the store: the same columns, types and compression. It
 * relies on the types in these events.
 */
export function loadLayout(file: string): string {
  const columns = NAMES.flatMap((name, index) =>
    PROPERTIES[name].map((type) => ({ name: `"${name} ${type}"`, type, sql: value(name, index + 1, type) })),
  );
  const pointers = NAMES.map((name) => `'/${name}'`).join(', ');
  return `CREATE TABLE events (event VARCHAR, time BIGINT, distinct_id VARCHAR, insert_id VARCHAR,
  properties JSON USING COMPRESSION zstd, ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')});
INSERT INTO events SELECT event, texts[9]::BIGINT, texts[10], NULL, properties, ${columns.map(({ sql }) => sql).join(', ')}
FROM (SELECT *, json_extract_string(properties, [${pointers}, '/time', '/distinct_id']) AS texts, json_type(properties, '/amount') AS kind
  FROM read_ndjson('${file}', columns = {event: 'VARCHAR', properties: 'JSON'}))`;
}

function value(name: string, place: number, type: string): string {
  const text = `texts[${place}]`;
  const typed = type === 'VARCHAR' ? text : `${text}::${type}`;
  return name === 'amount' ? `CASE WHEN ${type === 'VARCHAR' ? '' : 'NOT '}kind = 'VARCHAR' THEN ${typed} END` : typed;
}
