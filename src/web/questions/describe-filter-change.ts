import { check } from '../../api/expressions.ts';
import { relate, type Witness } from '../../api/relate.ts';
import { escapeUnprintable, truncate } from '../../base/strings.ts';
import { showValue, type Value } from '../../lang/value.ts';

/** Limit of an example in characters. */
const MAX_LENGTH = 120;

/** Says how a filter relates to the one before, with an example; undefined if they are alike, or nothing is known. */
export function describeFilterChange(before: string, after: string): string | undefined {
  const isWhole = (source: string) => source.trim() !== '' && check(source, { use: 'where' }).ok;
  if (before === after || !isWhole(before) || !isWhole(after)) return undefined;
  const { relation, onlyLeft, onlyRight } = relate(after, before);
  switch (relation) {
    case 'equal':
      return 'Selects the same events as the filter before.';
    case 'implies':
      return `Selects fewer events than the filter before${describeExample('no longer', onlyRight)}.`;
    case 'implied-by':
      return `Selects more events than the filter before${describeExample('now also', onlyLeft)}.`;
    case 'disjoint':
      return 'Selects none of the events of the filter before.';
    case 'overlap':
      return `Selects other events than the filter before${describeExample('no longer', onlyRight)}${describeExample('now also', onlyLeft)}.`;
    default:
      return undefined;
  }
}

function describeExample(words: string, witness: Witness | undefined): string {
  if (witness === undefined) return '';
  const values = [witness.properties, witness.user ?? {}].flatMap((part) =>
    Object.entries(part).map(([name, value]) => `${name} ${showValue(value as Value)}`),
  );
  return `: ${words} ${escapeUnprintable(truncate(values.length === 0 ? 'events without these properties' : values.join(', '), MAX_LENGTH))}`;
}
