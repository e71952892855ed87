import type { Properties } from '../../lang/value.ts';
import type { PersonLine } from './log-line.ts';
import { PersonDraft } from './person-draft.ts';
import { PERSON_OPERATIONS } from './person-operations.ts';

/**
 * Applies updates to a profile in order, the operations of each in the order of its keys. Returns undefined if the
 * profile was deleted. Pass all updates of a person at once: the time of a call grows with the size of the profile.
 *
 * @param profile undefined if there is none yet
 */
export function applyUpdates(profile: Properties | undefined, updates: Iterable<PersonLine>): Properties | undefined {
  const draft = new PersonDraft(profile);
  for (const update of updates) {
    for (const [name, argument] of Object.entries(update)) {
      PERSON_OPERATIONS.get(name)?.apply(draft, argument as never);
    }
  }
  return draft.finish();
}
