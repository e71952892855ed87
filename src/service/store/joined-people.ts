import type { PropertySource } from '../../lang/engines/sql/sql-source.ts';
import { PLACE_COLUMN, type VersionSources } from './store-snapshot.ts';

/** The prefix of the columns of people after the join. */
const PREFIX = 'user_';

/**
 * Returns SQL for `events` with the columns of their people, NULL for events without a profile.
 *
 * @param people the table of the people of the same versions
 */
export function lowerPeopleJoin(events: string, people: string, version: VersionSources): string {
  const columns = listColumns(version.people.properties).map((name) => `person.${name} AS ${PREFIX}${name}`);
  const keys = listUserKeys(version);
  return `SELECT happening.*, ${columns.join(', ')} FROM (${events}) AS happening
    LEFT JOIN ${people} AS person ON ${keys.map((key) => `person.${key} = happening.${key}`).join(' AND ')}`;
}

/** Lists the columns that identify a person in the tables of a version. */
export function listUserKeys({ place }: VersionSources): string[] {
  return place === undefined ? ['distinct_id', PLACE_COLUMN] : ['distinct_id'];
}

/** Returns where the properties of people are in the result of {@link lowerPeopleJoin}. */
export function getJoinedProperties({ columns = {}, rest }: PropertySource): PropertySource {
  const prefixed = Object.entries(columns).map(([name, channels]) => {
    const names = Object.entries(channels).map(([type, column]) => [type, `${PREFIX}${column}`]);
    return [name, Object.fromEntries(names)];
  });
  return {
    columns: Object.fromEntries(prefixed),
    ...(rest !== undefined && {
      rest: rest.kind === 'elsewhere' ? rest : { ...rest, column: `${PREFIX}${rest.column}` },
    }),
  };
}

/** Lists the columns that hold properties. */
export function listColumns({ columns = {}, rest }: PropertySource): string[] {
  const promoted = Object.values(columns).flatMap((channels) => Object.values(channels) as string[]);
  return rest === undefined || rest.kind === 'elsewhere' ? promoted : [...promoted, rest.column];
}
