import type { PropertySource } from '../../lang/engines/sql/sql-source.ts';

/** The prefix of the columns of people after the join. */
const PREFIX = 'user_';

/** Returns SQL for `events` with the columns of their people, NULL for events without a profile. */
export function lowerPeopleJoin(events: string, people: string, properties: PropertySource): string {
  const columns = listColumns(properties).map((name) => `person.${name} AS ${PREFIX}${name}`);
  return `SELECT happening.*, ${columns.join(', ')} FROM (${events}) AS happening
    LEFT JOIN ${people} AS person ON person.distinct_id = happening.distinct_id`;
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
