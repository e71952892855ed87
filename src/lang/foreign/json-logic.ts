import type { ComparisonName } from '../operators/table.ts';
import type { Span } from '../source.ts';
import {
  all,
  any,
  binaryOf,
  type Condition,
  conjunction,
  definedOf,
  disjunction,
  isOneOf,
  literal,
  NO,
  negated,
  notOf,
  twoValued,
} from './conditions.ts';
import type { JsonTree } from './json-tree.ts';
import { SCRIPT_COMPARISONS as COMPARISONS, compareLoosely, type LooseRules, noteLooseness, truthOf } from './loose.ts';
import { resolveName } from './names.ts';
import { refuseAt } from './refusal.ts';
import { containsString } from './strings.ts';
import {
  chooseCondition,
  chooseValue,
  computeNumber,
  constantOf,
  describeLooseness,
  type ForeignValue,
  firstPresent,
  getConstant,
  isFixed,
  LISTS_NOTE,
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
export function readJsonLogic(tree: JsonTree, notes: Set<string>): Condition {
  const { name, items } = readOperation(tree);
  const readRule = (rule: JsonTree) => readJsonLogic(rule, notes);
  if (tree.kind === 'scalar' || name === undefined) return readTruth(tree, notes);
  const [first, second] = items;
  switch (name) {
    case 'and':
    case 'or':
      if (items.length === 0) return refuseAt('syntax', tree.span, `\`${name}\` takes one operand or more.`);
      return (name === 'and' ? conjunction : disjunction)(items.map(readRule));
    case '!':
    case '!!': {
      if (first === undefined || items.length > 1) return refuseAt('syntax', tree.span, `${name} takes one operand.`);
      const condition = readRule(first);
      return name === '!' ? negated(condition) : condition;
    }
    case 'if':
    case '?:': {
      const cases: (readonly [Condition, Condition])[] = [];
      for (let index = 0; index + 1 < items.length; index += 2)
        cases.push([readRule(items[index] as JsonTree), readRule(items[index + 1] as JsonTree)]);
      const otherwise = items.length % 2 === 1 ? readRule(items.at(-1) as JsonTree) : twoValued(NO);
      return chooseCondition(cases, otherwise);
    }
    case 'in':
      if (!first || !second) return refuseAt('syntax', tree.span, '`in` takes two operands.');
      return readIn(first, second, notes);
    default: {
      const comparison = COMPARISONS.get(name);
      if (comparison === undefined) return readTruth(tree, notes);
      const isOrder = comparison !== '==' && comparison !== '!=';
      if (items.length !== 2 && !(isOrder && name.startsWith('<') && items.length === 3))
        return refuseAt('syntax', tree.span, `${name} takes two operands.`);
      const values = items.map((item) => readValue(item, notes));
      const isStrict = name.length === 3;
      return conjunction(
        values.slice(1).map((right, index) => {
          const left = values[index] as ForeignValue;
          if (isOrder) checkOrder(left, right, tree.span, notes);
          noteComparison(comparison, left, right, isStrict, notes);
          return compareLoosely(comparison, left, right, RULES, tree.span);
        }),
      );
    }
  }
}

/** Reads a value that is tested alone. */
function readTruth(tree: JsonTree, notes: Set<string>): Condition {
  const value = readValue(tree, notes);
  if (value.some(({ operand: { expression, type } }) => expression !== undefined && type === undefined))
    notes.add('An empty list counts as true. In JSON Logic it is false.');
  return truthOf(value);
}

/** Notes what JSON Logic converts, except by `===`. */
function noteComparison(
  operator: ComparisonName,
  left: ForeignValue,
  right: ForeignValue,
  isStrict: boolean,
  notes: Set<string>,
): void {
  if (isFixed(left) && isFixed(right)) return;
  const isNullTest = (operator === '==' || operator === '!=') && (left === NULL_VALUE || right === NULL_VALUE);
  if (isNullTest) {
    if (!isStrict) notes.add('Some programs also find 0 and false equal to null. Write === for null alone.');
  } else if (!isStrict) noteLooseness('JSON Logic', operator, left, right, notes);
  else if (!isFixed(left) && !isFixed(right)) notes.add(LISTS_NOTE);
}

/** JSON Logic orders digits, and the empty string, as numbers, and so it does with all strings beside null. */
function checkOrder(left: ForeignValue, right: ForeignValue, span: Span, notes: Set<string>): void {
  for (const { operand } of [...left, ...right]) {
    if (typeof operand.constant === 'string' && !Number.isNaN(Number(operand.constant)))
      refuseAt('type', span, 'JSON Logic orders this string as a number. Write the number.');
  }
  const areUntyped = [left, right].every((value) => value.some(({ operand }) => operand.type === undefined));
  if (areUntyped) notes.add('Both properties are read as numbers. A missing one counts as 0.');
}

function readIn(part: JsonTree, whole: JsonTree, notes: Set<string>): Condition {
  const value = readValue(part, notes);
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
  return testOperands([readValue(whole, notes)], ({ expression }) => {
    if (expression === undefined) return twoValued(NO);
    // The empty string has no parts, not even itself.
    const isNotEmpty = constant === '' ? [binaryOf('!=', expression, literal(''))] : [];
    return twoValued(all([...isNotEmpty, containsString(expression, constant)]));
  });
}

function readValue(tree: JsonTree, notes: Set<string>): ForeignValue {
  if (tree.kind === 'scalar') return tree.value === null ? NULL_VALUE : constantOf(tree.value);
  const { name, items } = readOperation(tree);
  const [first, second] = items;
  const [left, right] = [first, second].map((item) => (item ? [item] : []));
  switch (name) {
    case 'var': {
      if (first?.kind !== 'scalar' || typeof first.value !== 'string' || first.value === '')
        return refuseAt('name', tree.span, 'var takes the name of a property.');
      const value = unconditional({ expression: resolveName(first.value.split('.'), first.span, true) });
      if (second === undefined) return value;
      notes.add('The default also replaces null. Some programs keep null.');
      return firstPresent([value, readValue(second, notes)]);
    }
    case 'if':
    case '?:': {
      const cases: (readonly [Condition, ForeignValue])[] = [];
      for (let index = 0; index + 1 < items.length; index += 2)
        cases.push([readJsonLogic(items[index] as JsonTree, notes), readValue(items[index + 1] as JsonTree, notes)]);
      return chooseValue(cases, items.length % 2 === 1 ? readValue(items.at(-1) as JsonTree, notes) : NULL_VALUE);
    }
    case '+':
    case '*':
      if (items.length < 2) return refuseAt('type', tree.span, `${name} takes two operands or more.`);
      notes.add(describeLooseness('JSON Logic'));
      return items
        .map((item) => readValue(item, notes))
        .reduce((sum, value) => computeNumber(name, sum, value, tree.span));
    case '-':
    case '/':
    case '%': {
      if (items.length !== 2 || !left?.[0] || !right?.[0])
        return refuseAt('type', tree.span, `${name} takes two operands.`);
      notes.add(describeLooseness('JSON Logic'));
      const divisor = readValue(right[0], notes);
      if (name !== '-' && !getConstant(divisor))
        return refuseAt('division', right[0].span, 'Only a division by a number other than 0 is translated.');
      // null counts as 0 here, and as no number in sums and products.
      const zero = constantOf(0);
      const operands = [readValue(left[0], notes), divisor].map((value) => {
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
