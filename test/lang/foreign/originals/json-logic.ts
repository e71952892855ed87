import fc from 'fast-check';
import { translateJsonLogic } from '../../../../src/lang/foreign/translate.ts';
import { loadPeer } from '../../../load-peer.ts';
import { drawRecords, hasNoList, hasNoNull, LITERALS, NAMES, type Original } from './original.ts';

const { LogicEngine } = await loadPeer<{
  LogicEngine: new () => { build(rule: unknown): (record: object) => unknown };
}>('json-logic-engine');

const literal = fc.constantFrom(...LITERALS, null);
const variable = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES).map((name) => ({ var: name })) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...NAMES), literal).map((operands) => ({ var: operands })) },
);
const apply = (names: readonly string[], ...operands: readonly fc.Arbitrary<unknown>[]) =>
  fc.tuple(fc.constantFrom(...names), fc.tuple(...operands)).map(([name, values]) => ({ [name]: values }));

const { rule } = fc.letrec<{ rule: unknown; value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    { weight: 4, arbitrary: variable },
    { weight: 3, arbitrary: literal },
    { weight: 1, arbitrary: apply(['+', '-', '*'], tie('value'), tie('value')) },
    { weight: 1, arbitrary: apply(['/', '%'], tie('value'), fc.constantFrom(2, 4)) },
    { weight: 1, arbitrary: apply(['if', '?:'], tie('rule'), tie('value'), tie('value')) },
  ),
  rule: fc.oneof(
    { maxDepth: 3 },
    apply(['==', '!=', '===', '!=='], variable, literal),
    apply(['==', '!=', '===', '!==', '<', '<=', '>', '>='], tie('value'), tie('value')),
    apply(['<', '<='], literal, variable, literal),
    apply(['in'], literal, variable),
    apply(['in'], tie('value'), fc.array(literal, { maxLength: 3 })),
    tie('value'),
    apply(['!', '!!'], tie('rule')),
    variable.map((operand) => ({ '!': operand })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('rule'), { maxLength: 3 }))
      .map(([name, rules]) => ({ [name]: rules })),
    apply(['if'], tie('rule'), tie('rule'), tie('rule')),
  ),
}));

/** Rules of JSON Logic, run by json-logic-engine. */
export const JSON_LOGIC: Original = {
  language: 'JSON Logic',
  filters: rule.map((value) => JSON.stringify(value)),
  translate: translateJsonLogic,
  records: drawRecords(true),
  assumptions: [
    [/^An empty list/, hasNoList],
    [/^The default/, hasNoNull],
    [/^Two lists/, hasNoList],
  ],
  read(source) {
    try {
      const run = new LogicEngine().build(JSON.parse(source));
      return (record) => {
        try {
          return Boolean(run(record));
        } catch {
          return undefined;
        }
      };
    } catch {
      return undefined;
    }
  },
};
