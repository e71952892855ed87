import { parseJson } from '../../../base/parse-json.ts';
import type { Properties } from '../../../lang/value.ts';
import type { LogFile } from '../../storage/log-files.ts';
import type { PersonLine } from '../log-line.ts';
import { applyUpdates } from '../person-updates.ts';
import type { DuckDbConnection } from './database.ts';
import { quoteFile } from './quote-sql.ts';
import { RecordTable } from './record-table.ts';

/** The maximum number of updates of a person in memory. */
const MAX_UPDATES = 10_000;

/**
 * Applies the updates in log files to the people of a version. DuckDB sorts them by person, each after the existing
 * profile, so that only one person is in memory at a time.
 */
export async function flushPeople(
  connection: DuckDbConnection,
  reader: DuckDbConnection,
  schema: string,
  files: readonly LogFile[],
): Promise<void> {
  const table = new RecordTable(connection, schema, 'people');
  await connection.run('CREATE TEMP TABLE folded (distinct_id VARCHAR, properties JSON)');
  const appender = await connection.appender('folded');
  let count = 0;
  for await (const { distinctId, profile } of foldPeople(reader, table.name, files)) {
    appender.appendVarchar(distinctId);
    if (profile === undefined) appender.appendNull();
    else appender.appendVarchar(JSON.stringify(profile));
    appender.endRow();
    if (profile !== undefined) count++;
  }
  appender.closeSync();
  const from = '(FROM temp.folded WHERE properties IS NOT NULL)';
  const replaced = 'distinct_id IN (SELECT distinct_id FROM temp.folded)';
  await table.add({ from, documents: { from, json: 'properties', pointer: '' }, count, replaced });
}

interface FoldedPerson {
  readonly distinctId: string;
  /** Undefined if it was deleted. */
  readonly profile: Properties | undefined;
}

async function* foldPeople(
  reader: DuckDbConnection,
  people: string,
  files: readonly LogFile[],
): AsyncGenerator<FoldedPerson> {
  const paths = files.map(({ path }) => quoteFile(path)).join(', ');
  const lines = `(SELECT
      json_extract_string(json, '/$distinct_id') AS distinct_id, row_number() OVER () AS position, json
    FROM read_ndjson_objects([${paths}]))`;
  const sorted = `SELECT position = 0, CAST(to_json(distinct_id) AS VARCHAR), CAST(json AS VARCHAR) FROM (
      FROM ${lines} WHERE distinct_id IS NOT NULL
      UNION ALL
      SELECT distinct_id, 0, properties FROM ${people} SEMI JOIN ${lines} USING (distinct_id))
    ORDER BY distinct_id, position`;
  let id: string | undefined;
  let profile: Properties | undefined;
  let updates: PersonLine[] = [];
  const fold = () => {
    profile = applyUpdates(profile, updates);
    updates = [];
  };
  for await (const rows of reader.stream(sorted)) {
    for (const [isProfile, rowId, json] of rows) {
      if (rowId !== id) {
        fold();
        if (id !== undefined) yield { distinctId: JSON.parse(id), profile };
        [id, profile] = [rowId as string, undefined];
      }
      if (isProfile) profile = parseJson(json as string) as Properties;
      else updates.push(parseJson(json as string) as PersonLine);
      if (updates.length >= MAX_UPDATES) fold();
    }
  }
  fold();
  if (id !== undefined) yield { distinctId: JSON.parse(id), profile };
}
