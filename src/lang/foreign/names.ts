import type { Expression, Scope } from '../ast.ts';
import type { Span } from '../source.ts';
import { FOREIGN_SOURCES } from '../syntax/repair/foreign-words.ts';
import { propertyOf } from './conditions.ts';
import { refuseAt } from './refusal.ts';

const SCOPES = new Map<string, Scope>([
  ...[...FOREIGN_SOURCES].map(([word, scope]) => [word, scope as Scope] as const),
  ['properties', 'properties'],
  ['event', 'event'],
  ['user', 'user'],
  ['person', 'user'],
]);

/**
 * Returns the property of a dotted name. `user.country` is a property of the user, `properties.plan` and `event.plan`
 * are properties of the event, and so is a name alone.
 *
 * @param joinRest Joins other dots to one name, as flattened records have it. Else they are refused.
 */
export function resolveName(path: readonly string[], span: Span, joinRest: boolean): Expression {
  const [first = '', ...rest] = path;
  const scope = SCOPES.get(first.toLowerCase());
  if (rest.length === 0) {
    if (scope !== undefined) refuseAt('name', span, describeScope(first));
    return propertyOf('properties', first);
  }
  const isPerson = first.toLowerCase() === 'person' && rest.length > 1 && rest[0] === 'properties';
  const names = scope === undefined ? path : rest.slice(isPerson ? 1 : 0);
  if (names.length > 1 && !joinRest) {
    refuseAt(
      'name',
      span,
      `${path.join('.')} names no column of the events. Write ${names.at(-1)}, or user.${names.at(-1)}.`,
    );
  }
  return propertyOf(scope === 'user' ? 'user' : 'properties', names.join('.'));
}

function describeScope(word: string): string {
  return word.toLowerCase() === 'event'
    ? 'The name of the event is not a property, so a filter cannot test it. Choose events with --event.'
    : `${word} is not a property. Write ${word}.name, with the name of the property.`;
}

/** Returns whether a word begins the name of a property, as `user` does in `user.country`. */
export function isScopeName(word: string): boolean {
  return SCOPES.has(word.toLowerCase());
}
