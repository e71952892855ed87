import { type Mutant, mutate } from './mutant.ts';

const ROWS = 'test/lang/relate/transfers.test.ts';
const CLASSES = 'test/lang/relate/texts.test.ts';
const RELATIONS = ['test/relate.test.ts', 'the relation of'] as const;
const VALUES = 'test/relate-values.test.ts';
const EQUALITY = 'test/lang/relate/equality.test.ts';
const FORMS = 'test/relate.test.ts';
const WARNINGS = 'test/relation-warnings.test.ts';

/** Mistakes in the relations of filters: in what decides each overload, in the classes of values, and in the search. */
export const RELATION_MUTANTS: readonly Mutant[] = [
  ...mutate('src/lang/relate/transfers.ts', ROWS, {
    'negated ranges': ['toNumbers(-high, -low)', 'toNumbers(-low, -high)'],
    'ranges that touch, for <': ['left.high < right.low ? true', 'left.high <= right.low ? true'],
    'ranges that touch, for >=': ['left.low >= right.high ? false', 'left.low > right.high ? false'],
    'sides of <=': ["'atMost.number': invert(swap(lessNumber))", "'atMost.number': invert(lessNumber)"],
    'sides of >': ["'greater.number': swap(lessNumber)", "'greater.number': lessNumber"],
    'the end of a sum': ['left.high + right.high', 'left.high + right.low'],
    'the start of a difference': ['left.low - right.high', 'left.low - right.low'],
    'products of two negative numbers': ['toHull(left.low * low, left.low * high,', 'toHull(left.low * high,'],
    'divisors around 0': ['if (low > 0 || high < 0) return', 'if (low >= 0 || high <= 0 || low < high) return'],
    'division by 0': ['let set = UNDEFINED_SET;', 'let set = toNumbers(0, 0);'],
    'remainders beyond a period': ['high - low < size && first <= last', 'first <= last'],
    'remainders of negative numbers': ['low < 0 ? Math.max(low, -size) : 0', '0'],
    'remainders of 0': ['divisor.low <= 0 && divisor.high >= 0', 'divisor.low < 0 && divisor.high < 0'],
    'seconds below 1': ['if (low < 1) add(UNDEFINED_SET);', ''],
    milliseconds: ['Math.floor(high / 1000)', 'Math.floor(from / 1000)'],
    'equality of ranges that touch': [
      'left.high < right.low || left.low > right.high',
      'left.high <= right.low || left.low > right.high',
    ],
    'strings of digits': ['number >= text.low && number <= text.high', 'number > text.low && number <= text.high'],
    'strings that a class lacks': ['return !text.excluded.has(string);', 'return false;'],
    'order of classes': ['< (mayMeet ? 1 : 0)', '< 1'],
    'searched strings': ['outer.parts.get(inner.value)', 'outer.parts.get(inner.value) ?? false'],
    'searched elements': ['list?.elements.get(', 'list?.elements.has('],
    'words of booleans': ['return words.reduce(joinSets, UNDEFINED_SET);', 'return UNDEFINED_SET;'],
    'booleans of 0': ['low > 0 || high < 0 ? true : undefined', 'true'],
  }),
  ...mutate('src/lang/relate/transfers.ts', EQUALITY, {
    'strings in sums': ['set.types === NUMBER ? set : toNumbers(0, 0)', 'set'],
    'segments of lists': ['set.types === LIST ? undefined : getSingle(set)', 'getSingle(set)'],
    'texts of numbers': [
      'if (set.types === NUMBER) return toDigits(set, set);',
      'if (set.types === NUMBER) return set;',
    ],
  }),
  ...mutate('src/lang/relate/outcomes.ts', VALUES, {
    'undefined as false': ['mapBits(either, either - 1, IS_FALSE)', 'mapBits(either, IS_TRUE, IS_FALSE)'],
    'values beside a type error': ['mapBits(outcomes, IS_ERROR, FAILED)', 'mapBits(outcomes, ERRORS, FAILED)'],
  }),
  ...mutate('src/lang/relate/equality.ts', EQUALITY, {
    'the order of segments': ['listSegments(value).sort()', 'listSegments(value)'],
  }),
  ...mutate('src/lang/relate/equality.ts', VALUES, {
    'segments compared as values': ["use === 'value' ? row", "use !== 'number' ? row"],
  }),
  ...mutate('src/lang/relate/relate-filters.ts', VALUES, {
    'different forms as the same': [
      'toNormalText(left, use) === toNormalText(right, use)',
      'toNormalText(left, use) > ""',
    ],
  }),
  ...mutate('src/lang/relate/texts.ts', CLASSES, {
    'the sign of decimals': ["low >= '.' ? 0 : -MAX_VALUE", "low >= '+' ? 0 : -MAX_VALUE"],
    'decimals before digits': ["high > '+'", "high > '0'"],
    'days in other zones': ["(toDay(low, '01') ?? FIRST_SECOND) - 2 * DAY", "(toDay(low, '01') ?? FIRST_SECOND) + DAY"],
    'the last day': ['+ 6 * DAY', '+ 0 * DAY'],
    'sets without what they contain': [
      'some((outer) => outer.includes(part))',
      'some((outer) => part.includes(outer))',
    ],
    'beginnings with too much': ['begun.every((part) => contained.has(part))', 'begun.length === 0'],
  }),
  ...mutate('src/lang/relate/texts.ts', RELATIONS, {
    'characters after a prefix': ['point > after && point < before', 'point > after + 1 && point < before'],
  }),
  ...mutate('src/lang/relate/evaluate-sets.ts', RELATIONS, {
    'a range beyond a limit': ['high < plan.low || low > plan.high ? false', 'high < plan.low ? false'],
    'what is not among': ["plan.negated ? TRANSFERS['not.boolean'](among, among) : among", 'among'],
  }),
  ...mutate('src/lang/relate/outcomes.ts', RELATIONS, {
    'not of undefined': ['mapBits(outcomes, IS_NOT_TRUE, IS_TRUE)', 'mapBits(outcomes, IS_FALSE, IS_TRUE)'],
    'type errors of chains': ['fails ||= (outcomes & ERRORS) !== 0;', 'fails ||= (outcomes & IS_ERROR) !== 0;'],
    'type errors of filters': ['mapBits(outcomes, ERRORS, FAILED)', 'mapBits(outcomes, IS_ERROR, FAILED)'],
  }),
  ...mutate('src/lang/relate/groups.ts', RELATIONS, {
    'sides of comparisons': ['isSwapped ? [other, one] : [one, other]', '[one, other]'],
  }),
  ...mutate('src/lang/relate/clock.ts', RELATIONS, {
    'the sign of offsets': ['? 0 - value : undefined', '? value : undefined'],
  }),
  ...mutate('src/lang/relate/constants.ts', RELATIONS, {
    'searched constants': ['constants.parts.add(left);', 'constants.strings.add(left);'],
  }),
  ...mutate('src/api/relate.ts', RELATIONS, {
    'equal in spite of type errors': ["if (fails.includes(true)) return 'implies';", ''],
    'proof without completeness': ['occurs: isComplete && such.length === 0', 'occurs: such.length === 0'],
  }),
  ...mutate('src/lang/relate/normal-text.ts', FORMS, {
    'a second pass': ['if (next === text) return text;', 'return text;'],
  }),
  ...mutate('src/lang/relate/normalize.ts', FORMS, {
    'not over type errors': [
      'operand.operands.every((inner) => isSubset(this.getTypes(inner), CONDITION))',
      'operand.operands.length > 0',
    ],
    'a chain that converts': ["context === 'negated' ? CONDITION : BOOLEAN", 'ANY'],
    'mirrored comparisons': ['isOrder(operator) ? MIRRORED[operator] : operator, left: right', 'operator, left: right'],
  }),
  ...mutate('src/lang/relate/possibilities.ts', WARNINGS, {
    'a proof from some records': [
      'const surveyed = parts.map((part) => part.surveyed);',
      'const surveyed = parts.map((part) => part.sampled);',
    ],
  }),
  ...mutate('src/lang/relate/claims.ts', WARNINGS, {
    'type errors of what makes no difference': [
      'if (!canFail(facts)) return false;',
      'if (facts !== undefined) return false;',
    ],
    'conditions that could be left out of a reason': [
      '!this.possibilities.isPossible(others)) left = others;',
      '!this.possibilities.isPossible(others)) continue;',
    ],
    'not of values that are not booleans': ['if (isNegation(node) && (isTrue ||', 'if (isNegation(node) && (true ||'],
  }),
  ...mutate('src/lang/relate/find-relations.ts', WARNINGS, {
    'two conditions that each make the other needless': ['this.claims.remove(node);', ''],
    'an operand instead of a chain': ["context === 'condition' || isSubset", "context !== 'negated' || isSubset"],
    'an operand that is left alone': ["siblings.length === 0 ? context : 'condition'", "'condition'"],
    'two warnings about one mistake': ['if (!isKnown)', 'if (span !== undefined)'],
    'fixes that only a schema allows': ['?? toDiagnostic(true)', '?? toDiagnostic(false)'],
    'what is covered as unreachable': ['if (isTrue && !others.some(', 'if (isTrue || !others.some('],
  }),
  ...mutate('src/lang/relate/remove-part.ts', WARNINGS, {
    'words that run together': ["isJoined ? ' ' : ''", "isJoined ? '' : ''"],
    'parentheses of what is left out': [
      "skip(source, operand.end, ')', gap.opened)",
      "skip(source, operand.end, ')', 0)",
    ],
  }),
  ...mutate('src/lang/relate/explain-claims.ts', WARNINGS, {
    'reasons in spite of type errors': ["operator === 'and' || !others.some(", "operator !== 'xor' || !others.some("],
  }),
];
