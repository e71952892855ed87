// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are parts of sources
import { type Mutant, mutate } from './mutant.ts';

const OPERATORS = 'test/lang/operators/operators.test.ts';
const CONTEXTS = 'test/lang/operators/contexts.test.ts';
const DATETIME = 'test/lang/operators/datetime.test.ts';
const VECTORS = 'test/conformance.test.ts';
const CHECK = 'test/lang/check/check.test.ts';
const LISTS = 'test/lang/engines/long-lists.test.ts';
const FORMS = 'test/lang/form/forms.test.ts';
const PARTIAL = ['test/lang/explain/partial-evaluate.test.ts', 'evaluatePartially'] as const;
const MONGODB = ['test/lang/foreign/json.test.ts', 'selects the documents that match'] as const;
const STEPS = ['test/steps.test.ts', 'parse takes'] as const;
const JSON_LOGIC = ['test/lang/foreign/json.test.ts', 'is truthy'] as const;

/** Mistakes in operators, checks, plans, forms and translators. */
export const LANGUAGE_MUTANTS: readonly Mutant[] = [
  ...mutate('src/lang/operators/functions.ts', OPERATORS, {
    'rounding of halves below zero': ['whole + Math.sign(number)', 'whole + 1'],
    'a word for true': ["['yes', true]", "['yes', false]"],
  }),
  ...mutate('src/lang/operators/table.ts', OPERATORS, {
    'the equal strings of `<=`': ['compareStrings(left, right) <= 0', 'compareStrings(left, right) < 0'],
    'null in `defined`': ['operand !== undefined && operand !== null', 'operand !== undefined'],
    'the sides of a substring': ['evaluate: isPart', 'evaluate: (left: string, right: string) => isPart(right, left)'],
    '`not` of undefined': ['evaluate: () => true', 'evaluate: () => false'],
  }),
  ...mutate('src/lang/value.ts', OPERATORS, {
    'the last element of equal lists': ['left.every((element, index)', 'left.slice(1).every((element, index)'],
    'the length of equal lists': ['left.length === right.length && left.every', 'left.every'],
  }),
  ...mutate('src/lang/value.ts', 'test/lang/engines/raw-values.test.ts', {
    'order by code points': ['if (inPair) index--;', 'if (inPair) index += 0;'],
  }),
  ...mutate('src/lang/operators/time.ts', DATETIME, {
    'the sign of an offset': ["(match[7] === '-' ? -60 : 60)", '60'],
    'the minutes of an offset': ['(zoneHour * 60 + zoneMinute)', '(zoneHour * 60)'],
    'a month that does not exist': ['midnight.getUTCMonth() !== month - 1 || ', ''],
    'the last second that is not milliseconds': ['number <= MAX_SECONDS', 'number < MAX_SECONDS'],
  }),
  ...mutate('src/lang/operators/time.ts', [VECTORS, 'interpret passes the vectors datetime-zones'], {
    'the time zone of a date': ['return timeZone.toUnixSeconds(local);', 'return local;'],
    'an offset of a date in a time zone': ["match[7] === undefined && !string.endsWith('Z')", "!string.endsWith('Z')"],
    'UTC of a date in a time zone': [" && !string.endsWith('Z')", ''],
  }),
  ...mutate('src/lang/operators/time-zone.ts', [VECTORS, 'interpret passes the vectors datetime-zones'], {
    'the first of two equal local times': ['this.readOffset(local - before) === before', 'false'],
    'a local time that clocks skip': ['=== after ? after : before', '=== after ? after : after'],
    'offsets before Greenwich': ["(sign === '-' ? -1 : 1)", '1'],
  }),
  ...mutate('src/lang/operators/zone-offsets.ts', 'test/lang/operators/time-zone.test.ts', {
    'the first of two equal local times in SQL': ['Math.max(before, after)', 'Math.min(before, after)'],
  }),
  ...mutate('src/lang/check/check.ts', CHECK, {
    'the schema of an unknown property': ['this.reportUnknown(node);', ';'],
  }),
  ...mutate('src/lang/check/lint.ts', CHECK, {
    'numbers in strings that are ordered': ['parseDecimal(side.value) === undefined', 'side.value !== ""'],
    'the known values of a property': ['values.some((known) => known === value)', 'values.length > 0'],
  }),
  ...mutate('src/lang/check/node-facts.ts', [VECTORS, 'closures passes the vectors'], {
    'errors of the right operand': ['left.fallible || right.fallible', 'left.fallible'],
  }),
  ...mutate('src/lang/plan/merge-equalities.ts', LISTS, {
    'the values of later equalities': ['else for (const value of plan.values) values.add(value);', ''],
    'the negation of equalities': ['plan.negated !== decidedBy && ', ''],
  }),
  ...mutate('src/lang/plan/merge-equalities.ts', CONTEXTS, {
    'the scope of a property': ['`${scope} ${name}`', '`${name}`'],
  }),
  ...mutate('src/lang/plan/to-plan.ts', [VECTORS, 'closures passes the vectors'], {
    'the scope of a property': ["node.scope === 'user' ? 'user' : 'properties'", "'properties'"],
    'the time zone of a comparison': [
      'planDatetime(plan(side), checked.timeZone)',
      'planDatetime(plan(side), undefined)',
    ],
    'the sides of a comparison': ['MIRRORED[operator], left.value', 'operator, left.value'],
    'a comparison of a constant': ["[left.value], operator === '!='", "[left.value], operator === '=='"],
  }),
  ...mutate('src/lang/plan/range.ts', CONTEXTS, {
    'the limit of `<`': ['high: roundDownToNext(limit)', 'high: limit'],
    'the limit of `>`': ['low: roundUpToNext(limit)', 'low: limit'],
  }),
  ...mutate('src/lang/plan/numbers.ts', OPERATORS, {
    'a remainder by zero': [' && divisor !== 0) return', ') return'],
  }),
  ...mutate('src/lang/plan/casts.ts', CONTEXTS, {
    'the number of a boolean': ["typeof raw === 'boolean' ? Number(raw)", "typeof raw === 'boolean' ? 1"],
  }),
  ...mutate('src/lang/explain/simplify-tree.ts', PARTIAL, {
    'operands that can fail': ['operand === decisive || canFail', 'operand === decisive && canFail'],
    'undefined in a filter': ['isCondition && value === undefined ? false : value', 'value'],
    'the value of `not not`': [
      'return inner !== undefined && this.canReplaceParent(inner, isCondition)',
      'return inner !== undefined',
    ],
  }),
  ...mutate('src/lang/form/read-form.ts', FORMS, {
    'the sign of a number': ['value > 0 ? -value', 'value > 0 ? value'],
    'the negation of a group': ['{ ...row, negated: true }', 'row'],
    'the scope of a property': [
      "kind: 'condition', scope, property: name",
      "kind: 'condition', scope: 'properties', property: name",
    ],
  }),
  ...mutate('src/lang/form/write-form.ts', FORMS, {
    'the function of a property': ['called === undefined ? property : call(called, property)', 'property'],
    'the negation of a list': [
      "return not(writeCondition({ ...condition, operator: 'in' }));",
      "return writeCondition({ ...condition, operator: 'in' });",
    ],
  }),
  ...mutate('src/lang/foreign/mongodb.ts', MONGODB, {
    'an equal number of $gte': ["['$gte', '>=']", "['$gte', '>']"],
    'the negation of $nor': ["if (name === '$nor') return notOf(any(", "if (name === '$nor') return (any("],
    'the value of $exists': ['exists ? definedOf(operand) : notOf(definedOf(operand))', 'definedOf(operand)'],
    'null in $in': ['else others.push(readEqual(operand, item, notes));', ''],
  }),
  ...mutate('src/lang/foreign/json-logic.ts', JSON_LOGIC, {
    'the negation of `!`': ["name === '!' ? negated(condition) : condition", 'condition'],
    'the last branch of `if`': ['items.length % 2 === 1 ? readRule', 'items.length % 2 === 3 ? readRule'],
    'missing values as zero': ['zeroInOrder: true', 'zeroInOrder: false'],
  }),
  ...mutate('src/lang/foreign/loose.ts', ['test/lang/foreign/json.test.ts', 'notes what'], {
    'a number beside `==`': ['!isEquality || !(isWord(left) || isWord(right))', '!isEquality'],
  }),
  ...mutate('src/lang/foreign/infix.ts', ['test/lang/foreign/silent-differences.test.ts', 'CEL'], {
    'a string that is no condition': ['isFalse: equals(false)', 'isFalse: notOf(equals(true))'],
    'a number that starts with nothing': ["text === 'includes' ? definedOf : isString", 'definedOf'],
  }),
  ...mutate('src/lang/foreign/mixpanel.ts', ['test/lang/foreign/mixpanel.test.ts', 'by their rules'], {
    'a part of a string in `any`': ['all([isIn, notOf(isString(value))])', 'isIn'],
    'the default of a cast': ['all([when, notOf(isPresent)])', 'when'],
  }),
  ...mutate('src/lang/foreign/sql-terms.ts', 'test/lang/foreign/sql.test.ts', {
    'the end of a pattern': ["after !== '' ? 'startsWith' : 'equals'", "after !== '' ? 'contains' : 'equals'"],
  }),
  ...mutate('src/lang/syntax/repair/tokens.ts', STEPS, {
    'the length of `!!`': ['count <= MAX_TOKENS && cursor.peek(count)', 'cursor.peek(count)'],
    'the length of an operand of `!`': ['    if (count > MAX_TOKENS) return false;\n', ''],
  }),
];
