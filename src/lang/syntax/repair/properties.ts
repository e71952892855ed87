import { formatProperty } from '../../../base/strings.ts';
import { diagnose } from '../../diagnostic.ts';
import { readString } from '../literal.ts';
import * as T from '../vocabulary.ts';
import { LENGTH } from './calls.ts';
import type { FindRepair, RepairCursor } from './cursor.ts';
import { meansComparison, readMethod } from './operands.ts';
import { adviseOn } from './phrases.ts';

/** `properties["a"]["b"]` */
export const nestedProperty: FindRepair = (cursor) => {
  const [scope, outer] = [cursor.before(4), cursor.before(2)];
  if (!T.is(cursor.before(), T.CloseBracket) || !T.is(scope, T.ScopeWord) || outer === undefined) return undefined;
  const names = [readName(outer)];
  let [count, index] = [0, false];
  for (; T.is(cursor.peek(count), T.OpenBracket) && T.is(cursor.peek(count + 2), T.CloseBracket); count += 3) {
    index = T.is(cursor.peek(count + 1), T.NumberLiteral);
    if (!index) names.push(readName(cursor.peek(count + 1) as T.Token));
  }
  if (count === 0) return undefined;
  const property = formatProperty((scope as T.Token).image, names.join('.'));
  const details = { index, property, ...readPart(cursor, count) };
  return cursor.remove(count, diagnose('nested-property', cursor.span(count), details));
};

function readName(token: T.Token): string {
  return T.is(token, T.StringLiteral) ? readString(token, () => undefined) : token.image;
}

/** Reads the literal that what is before is compared with, `ahead` tokens after the cursor. */
export function readPart(cursor: RepairCursor, ahead: number): { readonly part?: string } {
  const literal = cursor.peek(ahead + 1);
  return meansComparison(cursor.peek(ahead)) && literal !== undefined && T.isLiteral(literal)
    ? { part: literal.image }
    : {};
}

const EVENT_NAMES = new Set(['name', 'event', 'type', 'event_name', 'eventname']);

/** `event` without a property. The name of the event is a parameter of the query, not a part of the expression. */
export const eventName: FindRepair = (cursor) => {
  const scope = cursor.peek();
  if (!T.is(scope, T.ScopeWord) || scope?.tokenType.name !== 'event') return undefined;
  if (cursor.sees(T.ScopeWord, T.Dot)) {
    const named = EVENT_NAMES.has(cursor.peek(2)?.image.toLowerCase() ?? '') && countDotted(cursor) === 3;
    return named ? cursor.readAsOperand(3, diagnose('event-name', cursor.span(3))) : undefined;
  }
  if (T.is(cursor.peek(1), T.OpenBracket, T.OpenParenthesis)) return undefined;
  return cursor.readAsOperand(1, diagnose('event-name', cursor.span()));
};

/** `properties.plan` */
export const dottedProperty: FindRepair = (cursor) => {
  if (!cursor.sees(T.ScopeWord, T.Dot)) return undefined;
  const count = countDotted(cursor);
  const span = cursor.span(count);
  const name = cursor.source.slice(cursor.span(2).end, span.end).replaceAll('?.', '.').trim();
  const ofLength = /^(.+)\.length$/.exec(name)?.[1];
  if (ofLength !== undefined) {
    const instead = adviseOn(LENGTH, [formatProperty(cursor.image, ofLength)]);
    return cursor.readAsOperand(count, diagnose('no-equivalent', span, { written: '.length', instead }));
  }
  const property = formatProperty(cursor.image, name || 'name');
  // With a second dot, the name can be of a nested property, or of one that JavaScript has.
  const fix = name === '' || name.includes('.') ? undefined : { span, text: property };
  return cursor.readAsOperand(count, diagnose('dotted-property', span, { property }, fix));
};

/** Counts the tokens of the next word and the `.name.name` after it. Words of the language are names there too. */
export function countDotted(cursor: RepairCursor): number {
  let count = 1;
  while (T.is(cursor.peek(count), T.Dot) && readMethod(cursor, count) === undefined)
    count += T.isWord(cursor.peek(count + 1)) ? 2 : 1;
  return count;
}

/** `properties("plan")`, and the same without quotes. */
export const calledProperty: FindRepair = (cursor) => {
  const name = cursor.peek(2);
  if (!cursor.sees(T.ScopeWord, T.OpenParenthesis) || !T.is(cursor.peek(3), T.CloseParenthesis)) return undefined;
  if (!T.is(name, T.StringLiteral)) return undefined;
  const [span, text] = [cursor.span(4), `${cursor.image}[${name?.image}]`];
  return cursor.readAsOperand(4, diagnose('called-property', span, { property: text }, { span, text }));
};

/** `properties[plan]` */
export const unquotedProperty: FindRepair = (cursor) => {
  const name = cursor.peek(2);
  if (!cursor.sees(T.ScopeWord, T.OpenBracket) || !T.is(cursor.peek(3), T.CloseBracket) || T.is(name, T.StringLiteral))
    return undefined;
  const written = (name as T.Token).image;
  const curly = T.is(name, T.CurlyString);
  const property = formatProperty(cursor.image, curly ? written.slice(1, -1) : written);
  const [at, fix] = [T.getTokenSpan(name as T.Token), { span: cursor.span(4), text: property }];
  return cursor.readAsOperand(
    4,
    curly ? diagnose('curly-quotes', at, { text: property }, fix) : diagnose('property-name', at, { property }, fix),
  );
};

/** `properties["plan" == "pro"` */
export const unclosedProperty: FindRepair = (cursor) => {
  const named = T.is(cursor.before(), T.StringLiteral) && T.is(cursor.before(2), T.OpenBracket);
  if (cursor.inside !== 'property' || !named || cursor.sees(T.CloseBracket)) return undefined;
  for (let ahead = 1; cursor.peek(ahead) !== undefined && !T.is(cursor.peek(ahead), T.OpenBracket); ahead++) {
    if (T.is(cursor.peek(ahead), T.CloseBracket)) return undefined;
  }
  const end = T.getTokenEnd(cursor.before() as T.Token);
  const opening = T.getTokenSpan(cursor.before(2) as T.Token);
  const fix = { span: { start: end, end }, text: ']' };
  const property = `${cursor.source.slice(cursor.before(3)?.startOffset, end)}]`;
  return {
    count: 0,
    replacement: [T.createTokenAt(end, '', T.CloseBracket)],
    diagnostic: diagnose('unclosed-bracket', opening, { open: '[', close: ']', property }, fix),
  };
};
