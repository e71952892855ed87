import { countCommitsSince } from '../history.ts';
import type { Measured } from './blocks.ts';

/** A measurement is stale once more commits than this have changed its code. */
const MAX_COMMITS = 50;

/** Returns a message if a shown measurement is stale, otherwise nothing. Needs the complete history. */
export function describeStaleness({ title, commit, dirty, code }: Measured & { readonly title: string }): string[] {
  const measured = `${title} was measured at ${commit.slice(0, 7)}`;
  if (dirty) return [`${measured} with uncommitted changes: measure it again`];
  const commits = countCommitsSince(commit, code);
  if (commits === undefined) return [`${measured}, which is not in the history: measure it again`];
  if (commits <= MAX_COMMITS) return [];
  return [`${measured}; since then ${commits} commits changed ${code.join(', ')}: measure it again or remove it`];
}
