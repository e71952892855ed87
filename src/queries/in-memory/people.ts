import { compareStrings } from '../../lang/value.ts';
import type { PeopleSelection } from '../people.ts';
import { type MemoryContext, type MemoryPerson, prepareFilter } from './memory-events.ts';

/** Returns the selected people, ordered by ID. Both scopes of the filter read the profile. */
export function listPeople(context: MemoryContext, { where, distinctIds }: PeopleSelection): MemoryPerson[] {
  const matches = prepareFilter(where, context);
  const wanted = distinctIds && new Set(distinctIds);
  return context.people
    .filter(({ distinctId }) => wanted?.has(distinctId) !== false)
    .filter(({ distinctId, properties }) => {
      return matches({ event: '', time: 0, user: distinctId, properties, profile: properties });
    })
    .sort((left, right) => compareStrings(left.distinctId, right.distinctId));
}
