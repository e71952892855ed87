import type { PropertySource } from '../../lang/engines/sql/sql-source.ts';

/** What stands before the columns of people, beside those of their events. */
const PREFIX = 'user_';

/** SQL for events with the columns of their people, where they have a profile. */
export function lowerPeopleJoin(events: string, people: string, properties: PropertySource): string {
  const columns = listColumns(properties).map((name) => `person.${name} AS ${PREFIX}${name}`);
  return `SELECT happening.*, ${columns.join(', ')} FROM (${events}) AS happening
    LEFT JOIN ${people} AS person ON person.distinct_id = happening.distinct_id`;
}

/** Where the properties of people are in that. */
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

/** The columns that properties are in. */
export function listColumns({ columns = {}, rest }: PropertySource): string[] {
  const own = Object.values(columns).flatMap((channels) => Object.values(channels) as string[]);
  return rest === undefined || rest.kind === 'elsewhere' ? own : [...own, rest.column];
}
