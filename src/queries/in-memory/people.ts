import { compileWhere } from '../../api/expressions.ts';
import { ExpressionError } from '../../lang/errors.ts';
import { compareStrings, type Properties } from '../../lang/value.ts';
import { toQueryError } from '../expression-error.ts';
import type { PeopleSelection } from '../people.ts';
import type { MemoryContext, MemoryPerson } from './memory-context.ts';

/** Returns the selected people, ordered by ID. Both scopes of the filter read the profile. */
export function listPeople(context: MemoryContext, { where, distinctIds }: PeopleSelection): MemoryPerson[] {
  const matches = compileFilter(where, context);
  const wanted = distinctIds && new Set(distinctIds);
  return context.people
    .filter(({ distinctId, properties }) => wanted?.has(distinctId) !== false && matches(properties))
    .sort((left, right) => compareStrings(left.distinctId, right.distinctId));
}

function compileFilter(where: string | undefined, { now, timeZone }: MemoryContext): (profile: Properties) => boolean {
  if (where === undefined) return () => true;
  const guard = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw error instanceof ExpressionError ? toQueryError('selector', error, 'where', {}) : error;
    }
  };
  const matches = guard(() => compileWhere(where, { now, timeZone }));
  return (profile) => guard(() => matches(profile, profile));
}
