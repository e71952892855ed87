import {
  all,
  any,
  type Condition,
  conjunction,
  definedOf,
  disjunction,
  isOneOf,
  NO,
  negated,
  notOf,
  twoValued,
} from './conditions.ts';
import type { JsonTree } from './json-tree.ts';
import { SCRIPT_COMPARISONS as COMPARISONS, compareLoosely, type LooseRules, truthOf } from './loose.ts';
import { resolveName } from './names.ts';
import { refuseAt } from './refusal.ts';
import { containsString } from './strings.ts';
import {
  chooseCondition,
  chooseValue,
  computeNumber,
  constantOf,
  type ForeignValue,
  firstPresent,
  getConstant,
  NULL_VALUE,
  testOperands,
  unconditional,
} from './values.ts';

const CONDITIONS = new Set([...COMPARISONS.keys(), 'and', 'or', '!', '!!', 'in']);

/** A missing variable is null, which JavaScript counts as 0 in comparisons of order. */
const RULES: LooseRules = { zeroInOrder: true, equalsBlank: false };

/** Returns whether a name is an operation of JSON Logic. */
export function isJsonLogicOperation(name: string): boolean {
  return CONDITIONS.has(name) || ['if', '?:', 'var', 'missing', 'some', 'all', 'none'].includes(name);
}

/** Reads a rule of JSON Logic as a condition: the rule applies if its result is truthy. */
export function readJsonLogic(tree: JsonTree): Condition {
  const { name, items } = readOperation(tree);
  if (tree.kind === 'scalar' || name === undefined) return truthOf(readValue(tree));
  const [first, second] = items;
  switch (name) {
    case 'and':
      return conjunction(items.map(readJsonLogic));
    case 'or':
      return disjunction(items.map(readJsonLogic));
    case '!':
    case '!!': {
      if (first === undefined || items.length > 1) return refuseAt('syntax', tree.span, `${name} takes one operand.`);
      const condition = readJsonLogic(first);
      return name === '!' ? negated(condition) : condition;
    }
    case 'if':
    case '?:': {
      const cases: (readonly [Condition, Condition])[] = [];
      for (let index = 0; index + 1 < items.length; index += 2)
        cases.push([readJsonLogic(items[index] as JsonTree), readJsonLogic(items[index + 1] as JsonTree)]);
      const otherwise = items.length % 2 === 1 ? readJsonLogic(items.at(-1) as JsonTree) : twoValued(NO);
      return chooseCondition(cases, otherwise);
    }
    case 'in':
      if (!first || !second) return refuseAt('syntax', tree.span, '`in` takes two operands.');
      return readIn(first, second);
    default: {
      const comparison = COMPARISONS.get(name);
      if (comparison === undefined) return truthOf(readValue(tree));
      const isOrder = comparison !== '==' && comparison !== '!=';
      if (items.length !== 2 && !(isOrder && name.startsWith('<') && items.length === 3))
        return refuseAt('syntax', tree.span, `${name} takes two operands.`);
      const values = items.map(readValue);
      for (const [index, value] of values.entries()) {
        const text = getConstant(value);
        if (isOrder && typeof text === 'string' && text.trim() !== '' && !Number.isNaN(Number(text)))
          refuseAt('type', (items[index] as JsonTree).span, 'Remove the quotes to compare with a number.');
      }
      return conjunction(
        values.slice(1).map((value, index) => {
          return compareLoosely(comparison, values[index] as ForeignValue, value, RULES, tree.span);
        }),
      );
    }
  }
}

function readIn(part: JsonTree, whole: JsonTree): Condition {
  const value = readValue(part);
  if (whole.kind === 'array') {
    const scalars = whole.items.map((item) =>
      item.kind === 'scalar' ? item.value : refuseAt('list', item.span, 'Only literals are translated in a list.'),
    );
    const known = scalars.filter((scalar) => scalar !== null);
    return testOperands([value], ({ expression }) => {
      if (expression === undefined) return twoValued(scalars.includes(null) ? notOf(NO) : NO);
      const isNull = scalars.includes(null) ? notOf(definedOf(expression)) : NO;
      return twoValued(any([isOneOf(expression, known), isNull]));
    });
  }
  const constant = getConstant(value);
  if (typeof constant !== 'string') return refuseAt('type', part.span, 'The part to look for must be a string.');
  return testOperands([readValue(whole)], ({ expression }) =>
    twoValued(expression ? all([containsString(expression, constant)]) : NO),
  );
}

function readValue(tree: JsonTree): ForeignValue {
  if (tree.kind === 'scalar') return tree.value === null ? NULL_VALUE : constantOf(tree.value);
  const { name, items } = readOperation(tree);
  const [first, second] = items;
  const [left, right] = [first, second].map((item) => (item ? [item] : []));
  switch (name) {
    case 'var': {
      if (first?.kind !== 'scalar' || typeof first.value !== 'string' || first.value === '')
        return refuseAt('name', tree.span, 'var takes the name of a property.');
      const value = unconditional({ expression: resolveName(first.value.split('.'), first.span, true) });
      return second ? firstPresent([value, readValue(second)]) : value;
    }
    case 'if':
    case '?:': {
      const cases: (readonly [Condition, ForeignValue])[] = [];
      for (let index = 0; index + 1 < items.length; index += 2)
        cases.push([readJsonLogic(items[index] as JsonTree), readValue(items[index + 1] as JsonTree)]);
      return chooseValue(cases, items.length % 2 === 1 ? readValue(items.at(-1) as JsonTree) : NULL_VALUE);
    }
    case '+':
    case '*':
      if (items.length < 2) return refuseAt('type', tree.span, `${name} takes two operands or more.`);
      return items.map(readValue).reduce((sum, value) => computeNumber(name, sum, value, tree.span));
    case '-':
    case '/':
    case '%': {
      if (items.length !== 2 || !left?.[0] || !right?.[0])
        return refuseAt('type', tree.span, `${name} takes two operands.`);
      const divisor = readValue(right[0]);
      if (name !== '-' && !getConstant(divisor))
        return refuseAt('division', right[0].span, 'Only a division by a number other than 0 is translated.');
      // null counts as 0 here, and as no number in sums and products.
      const zero = constantOf(0);
      const operands = [readValue(left[0]), divisor].map((value) => {
        return getConstant(value) === undefined ? firstPresent([value, zero]) : value;
      });
      return computeNumber(name, operands[0] as ForeignValue, operands[1] as ForeignValue, tree.span);
    }
    default:
      return refuseAt('operator', tree.span, `${name === undefined ? 'This' : `\`${name}\``} has no translation here.`);
  }
}

function readOperation(tree: JsonTree): { readonly name?: string; readonly items: readonly JsonTree[] } {
  if (tree.kind !== 'object') return { items: [] };
  const [field, ...others] = tree.fields;
  if (field === undefined || others.length > 0)
    return refuseAt('syntax', tree.span, 'A rule has exactly one operation.');
  return { name: field.name, items: field.value.kind === 'array' ? field.value.items : [field.value] };
}
