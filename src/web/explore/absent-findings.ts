import { formatProperty, quoteString } from '../../base/strings.ts';
import type { AbsentName } from '../../data/name-census.ts';
import { listMentions } from '../../data/occurrences.ts';
import type { FilterNote } from '../../editor/element/show-findings.ts';

/** Finds where an expression names what no event has. */
export function listAbsentFindings(source: string, absent: readonly AbsentName[]): FilterNote[] {
  if (absent.length === 0) return [];
  const mentions = listMentions(source);
  return absent.flatMap(({ message, property, nearest }) => {
    if (property === undefined) return [];
    const { scope, name, value } = property;
    const [first, ...others] = mentions
      .filter((mention) => mention.scope === scope && mention.name === name && mention.value === value)
      .map(({ span }) => span)
      .sort((left, right) => left.start - right.start);
    if (first === undefined) return [];
    const quote = (near: string) => (value === undefined ? formatProperty(scope, near) : quoteString(near));
    return { message, spans: [first, ...others], replacement: nearest === undefined ? undefined : quote(nearest) };
  });
}
