import { parseJson } from '../../../base/parse-json.ts';
import type { Properties } from '../../../lang/value.ts';
import type { PersonLine } from '../log-line.ts';
import { applyUpdates } from '../person-updates.ts';
import type { ClickHouseDatabase } from './database.ts';
import type { Topology } from './topology.ts';
import { FLUSH_COLUMN, type VersionTables } from './version-tables.ts';

const BLOCK_BYTES = 8 << 20;

/** The maximum number of updates of a person in memory. */
const MAX_UPDATES = 10_000;

/** A flushed profile, at position 0, or an update. */
interface Step {
  readonly distinct_id: string;
  readonly position: string | number;
  readonly json: string;
}

/** Returns SQL for the steps of each person in order. */
export function lowerSteps({ global }: Topology, tables: VersionTables): string {
  const updates = tables.updates.name;
  return `SELECT distinct_id, position, json FROM (
  SELECT distinct_id, 0 AS position, properties AS json FROM ${tables.rows('people').name}
  WHERE ${FLUSH_COLUMN} = {last:UInt64} AND distinct_id ${global}IN (SELECT distinct_id FROM ${updates})
  UNION ALL SELECT distinct_id, position, line FROM ${updates}
) ORDER BY distinct_id, position`;
}

/**
 * Applies the updates being flushed to their profiles. Yields the lines of the resulting profiles, without deleted
 * ones, in blocks for one insert each.
 *
 * @param query the result of {@link lowerSteps}
 * @param last the ID of the flush that has the profiles
 */
export async function* foldPeople(database: ClickHouseDatabase, query: string, last: number): AsyncGenerator<Buffer> {
  let block: string[] = [];
  let characters = 0;
  for await (const { id, profile } of foldProfiles(database.stream<Step>(query, { last }))) {
    const line = `${JSON.stringify({ distinct_id: id, properties: profile })}\n`;
    block.push(line);
    characters += line.length;
    if (characters < BLOCK_BYTES) continue;
    yield Buffer.from(block.join(''));
    [block, characters] = [[], 0];
  }
  if (characters > 0) yield Buffer.from(block.join(''));
}

async function* foldProfiles(steps: AsyncIterable<Step>): AsyncGenerator<{ id: string; profile: Properties }> {
  let id: string | undefined;
  let profile: Properties | undefined;
  let updates: PersonLine[] = [];
  const fold = () => {
    profile = applyUpdates(profile, updates);
    updates = [];
  };
  for await (const { distinct_id, position, json } of steps) {
    if (id !== distinct_id) {
      fold();
      if (id !== undefined && profile !== undefined) yield { id, profile };
      [id, profile] = [distinct_id, undefined];
    }
    if (Number(position) === 0) profile = parseJson(json) as Properties;
    else updates.push(parseJson(json) as PersonLine);
    if (updates.length >= MAX_UPDATES) fold();
  }
  fold();
  if (id !== undefined && profile !== undefined) yield { id, profile };
}
