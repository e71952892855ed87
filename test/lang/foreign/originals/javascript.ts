import fc from 'fast-check';
import { translateJavaScript } from '../../../../src/lang/foreign/translate.ts';
import { dropParentheses } from '../parentheses.ts';
import { drawRecords, hasNoList, isComplete, join, joinList, LITERALS, NAMES, type Original } from './original.ts';

const name = fc.constantFrom(...NAMES);
const literal = fc.constantFrom(...LITERALS).map((value) => JSON.stringify(value));
const equality = fc.constantFrom(' == ', ' != ', ' === ', ' !== ');
const order = fc.constantFrom(' < ', ' <= ', ' > ', ' >= ');
const nothing = fc.constantFrom('null', 'undefined');

const { condition } = fc.letrec<{ condition: string; value: string }>((tie) => {
  const inner = (key: 'condition' | 'value') => join('(', tie(key), ')');
  return {
    value: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 4, arbitrary: name },
      { weight: 3, arbitrary: literal },
      { weight: 1, arbitrary: nothing },
      { weight: 1, arbitrary: join(inner('value'), fc.constantFrom(' + ', ' - ', ' * '), inner('value')) },
      { weight: 1, arbitrary: join(inner('value'), fc.constantFrom(' / ', ' % '), fc.constantFrom('2', '3')) },
      { weight: 1, arbitrary: join('-', inner('value')) },
      { weight: 1, arbitrary: join(inner('value'), ' ?? ', inner('value')) },
      { weight: 1, arbitrary: join(inner('condition'), ' ? ', inner('value'), ' : ', inner('value')) },
    ),
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      join(name, equality, literal),
      join(literal, equality, name),
      join(name, equality, nothing),
      join(name, order, literal),
      join(inner('value'), fc.oneof(equality, order), inner('value')),
      join(name, fc.constantFrom('.', '?.'), fc.constantFrom('includes', 'startsWith'), '(', literal, ')'),
      join('[', joinList(literal), '].includes(', tie('value'), ')'),
      tie('value'),
      join('!', inner('condition')),
      join(inner('condition'), fc.constantFrom(' && ', ' || ', ' ?? '), inner('condition')),
      join(inner('condition'), ' ? ', inner('condition'), ' : ', inner('condition')),
    ),
  };
});

/** Filters of JavaScript, run by JavaScript. A filter that throws has no answer. */
export const JAVASCRIPT: Original = {
  language: 'JavaScript',
  filters: condition.chain(dropParentheses),
  translate: translateJavaScript,
  records: drawRecords(true),
  assumptions: [
    [/^null and a missing/, isComplete],
    [/^Two lists/, hasNoList],
  ],
  read(source) {
    try {
      const run = new Function(...NAMES, `return ${source}`);
      return (record) => {
        try {
          return Boolean(run(...NAMES.map((key) => record[key])));
        } catch {
          return undefined;
        }
      };
    } catch {
      return undefined;
    }
  },
};
