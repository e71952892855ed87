import { compareStrings } from '../../../lang/value.ts';
import { type MemoryContext, type MemoryPerson, prepareFilter } from './memory-events.ts';

/** Returns the people that a filter selects, ordered by ID. Both scopes of the filter read the profile. */
export function listPeople(context: MemoryContext, where: string | undefined): MemoryPerson[] {
  const matches = prepareFilter(where, context);
  return context.people
    .filter(({ distinctId, properties }) => {
      return matches({ event: '', time: 0, user: distinctId, properties, profile: properties });
    })
    .sort((left, right) => compareStrings(left.distinctId, right.distinctId));
}
