import fc from 'fast-check';
import { translateCel } from '../../../../src/lang/foreign/translate.ts';
import { loadPeer } from '../../../load-peer.ts';
import { dropParentheses } from '../parentheses.ts';
import { drawRecords, isComplete, join, joinList, LITERALS, NAMES, type Original } from './original.ts';

const { parse } = await loadPeer<{ parse(source: string): (record: object) => unknown }>('@marcbachmann/cel-js');

const name = fc.constantFrom(...NAMES);
/** Numbers of records are doubles, and CEL computes only with two of a kind. */
const literal = fc
  .constantFrom(...LITERALS)
  .map((value) => (Number.isInteger(value) ? (value as number).toFixed(1) : JSON.stringify(value)));
const equality = fc.constantFrom(' == ', ' != ');
const order = fc.constantFrom(' < ', ' <= ', ' > ', ' >= ');

const { condition } = fc.letrec<{ condition: string; value: string }>((tie) => {
  const inner = (key: 'condition' | 'value') => join('(', tie(key), ')');
  return {
    value: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 4, arbitrary: name },
      { weight: 3, arbitrary: literal },
      { weight: 1, arbitrary: fc.constantFrom('1', '5', 'null') },
      { weight: 1, arbitrary: join(inner('value'), fc.constantFrom(' + ', ' - ', ' * '), inner('value')) },
      { weight: 1, arbitrary: join(inner('value'), fc.constantFrom(' / 2.0', ' % 2', ' % 2.0')) },
      { weight: 1, arbitrary: join('-', inner('value')) },
      { weight: 1, arbitrary: join(inner('condition'), ' ? ', inner('value'), ' : ', inner('value')) },
    ),
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      join(name, equality, literal),
      join(literal, equality, name),
      join(name, order, literal),
      join(name, equality, fc.constantFrom('null', '1', '5')),
      join(inner('value'), fc.oneof(equality, order), inner('value')),
      join('has(properties.', name, ')'),
      join(name, fc.constantFrom('.contains', '.startsWith', '.matches'), '(', literal, ')'),
      join(name, ' in [', joinList(literal), ']'),
      join(literal, ' in ', name),
      fc.constantFrom('active', 'amount', 'plan', 'true'),
      join('!', inner('condition')),
      join(inner('condition'), fc.constantFrom(' && ', ' || '), inner('condition')),
      join(inner('condition'), ' ? ', inner('condition'), ' : ', inner('condition')),
    ),
  };
});

const records = drawRecords(false);

const FAILURE = Symbol('failure');

function tryOrFail<Result>(run: () => Result): Result | typeof FAILURE {
  try {
    return run();
  } catch {
    return FAILURE;
  }
}

/** Filters of CEL, run by cel-js. A filter that fails selects nothing. */
export const CEL: Original = {
  language: 'CEL',
  filters: condition.chain(dropParentheses),
  translate: translateCel,
  records,
  assumptions: [[/^null and a missing/, isComplete]],
  read(source) {
    const run = tryOrFail(() => parse(source));
    if (run === FAILURE) return undefined;
    const results = new Map(records.map((record) => [record, tryOrFail(() => run({ ...record, properties: record }))]));
    // cel-js checks the types of literals while it runs.
    if ([...results.values()].every((result) => result === FAILURE)) return undefined;
    return (record) => results.get(record) === true;
  },
};
