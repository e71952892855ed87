import type { Properties } from '../../lang/value.ts';
import type { PersonLine } from './log-line.ts';
import { PersonDraft } from './person-draft.ts';
import { PERSON_OPERATIONS } from './person-operations.ts';

/**
 * What a profile becomes by updates, one after the other, the operations of each in the order of its keys: undefined where the last
 * of them deletes it. All updates of a person are best given at once, for a call takes as long as the profile is big.
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
