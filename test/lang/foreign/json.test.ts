import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileWhere } from '../../../src/api/expressions.ts';
import { translateJsonLogic, translateMongoDb } from '../../../src/lang/foreign/translate.ts';
import { describeLooseness, LISTS_NOTE } from '../../../src/lang/foreign/values.ts';
import { runs } from '../../runs.ts';
import { anyValueOf, expectSameRecords, NUMBERS, STRINGS } from './compare-records.ts';

const number = fc.oneof(anyValueOf('amount'), anyValueOf('score'));
const string = fc.oneof(anyValueOf('plan'), anyValueOf('country'));
const typed = fc.oneof(
  fc.tuple(fc.constantFrom(...NUMBERS), number, fc.array(number, { maxLength: 3 })),
  fc.tuple(fc.constantFrom(...STRINGS), string, fc.array(string, { maxLength: 3 })),
);

type Fields = Readonly<Record<string, unknown>>;

/** Evaluates a query as the manual of MongoDB defines it, on fields with single values. */
function matches(query: Fields, record: Fields): boolean {
  return Object.entries(query).every(([name, test]) => {
    if (name === '$and') return (test as Fields[]).every((inner) => matches(inner, record));
    if (name === '$or') return (test as Fields[]).some((inner) => matches(inner, record));
    if (name === '$nor') return !(test as Fields[]).some((inner) => matches(inner, record));
    return passes(record[name], test);
  });
}

function passes(value: unknown, test: unknown): boolean {
  if (typeof test !== 'object' || test === null) return (value ?? null) === test;
  return Object.entries(test).every(([operator, operand]) => {
    const comparable = value !== undefined && typeof value === typeof operand;
    switch (operator) {
      case '$eq':
        return passes(value, operand);
      case '$ne':
        return !passes(value, operand);
      case '$gt':
        return comparable && (value as number) > operand;
      case '$gte':
        return comparable && (value as number) >= operand;
      case '$lt':
        return comparable && (value as number) < operand;
      case '$lte':
        return comparable && (value as number) <= operand;
      case '$in':
        return (operand as unknown[]).includes(value ?? null);
      case '$nin':
        return !(operand as unknown[]).includes(value ?? null);
      case '$exists':
        return (value !== undefined) === operand;
      case '$not':
        return !passes(value, operand);
      default:
        return expect.unreachable();
    }
  });
}

const anyTest = fc.letrec<{ test: [string, unknown] }>((tie) => ({
  test: fc.oneof(
    { maxDepth: 2 },
    typed.chain(([name, value, list]) =>
      fc
        .oneof(
          fc.constantFrom(value, null, { $ne: null }, { $exists: true }, { $exists: false }),
          fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte').map((operator) => ({ [operator]: value })),
          fc
            .constantFrom('$in', '$nin')
            .chain((operator) => fc.constantFrom(list, [...list, null]).map((items) => ({ [operator]: items }))),
        )
        .map((test): [string, unknown] => [name, test]),
    ),
    fc
      .tuple(typed, fc.constantFrom('$gt', '$lte', '$ne', '$in'))
      .map(([[name, value, list], operator]): [string, unknown] => [
        name,
        { $not: { [operator]: operator === '$in' ? list : value } },
      ]),
    fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('test'), { minLength: 1, maxLength: 3 }))
      .map(([operator, tests]): [string, unknown] => [operator, tests.map(([name, test]) => ({ [name]: test }))]),
  ),
})).test;

describe('translateMongoDb', () => {
  it('selects the documents that a query matches', () => {
    fc.assert(
      fc.property(fc.array(anyTest, { maxLength: 3 }), (tests) => {
        const query = Object.fromEntries(tests);
        const source = JSON.stringify(query);
        expectSameRecords(source, translateMongoDb(source), (record) => matches(query, record));
      }),
      { numRuns: runs(3000) },
    );
  });

  it.each([
    '{"amount": {"$gte": 5}}',
    '{"amount": {"$lte": 5}}',
    '{"$nor": [{"plan": "pro"}, {"amount": 0}]}',
    '{"plan": {"$exists": true}}',
    '{"plan": {"$exists": false}}',
    '{"plan": {"$in": ["pro", null]}}',
    '{"plan": {"$nin": ["pro", null]}}',
    '{"amount": {"$not": {"$gt": 12}}}',
  ])('selects the documents that match %s', (source) => {
    const query = JSON.parse(source);
    expectSameRecords(source, translateMongoDb(source), (record) => matches(query, record));
  });

  it.each([
    [
      "{plan: 'pro', amount: {$gt: 10, $lte: 20},}",
      'properties["plan"] == "pro"\nand properties["amount"] > 10\nand properties["amount"] <= 20',
    ],
    [
      '{"address.city": "Berlin", "user.country": "DE"}',
      'properties["address.city"] == "Berlin" and user["country"] == "DE"',
    ],
    ['{"at": {"$gte": ISODate("2025-01-01T00:00:00Z")}}', 'properties["at"] >= datetime("2025-01-01T00:00:00Z")'],
    ['{"plan": {"$regex": "^pro"}}', 'properties["plan"] >= "pro" and properties["plan"] < "prp"'],
  ])('translates %s', (source, expression) => {
    expect(translateMongoDb(source)).toMatchObject({ expression });
  });

  it.each([
    ['{"plan": {"$regex": "a.*b"}}', 'pattern', '"a.*b"'],
    ['{"plan": {"$regex": "a", "$options": "i"}}', 'pattern', '"$options"'],
    ['{"tags": {"$elemMatch": {"a": 1}}}', 'list', '"$elemMatch"'],
    ['{"tags": ["a"]}', 'list', '["a"]'],
    ['{"address": {"city": "Berlin"}}', 'name', '{"city": "Berlin"}'],
    ['{"$where": "this.a > 1"}', 'operator', '"$where"'],
    ['{"a": 1', 'syntax', ''],
    ['{"a": {"$lt": 5, "$lt": 1}}', 'syntax', '"$lt"'],
    ['{"plan": "a", "plan": "b"}', 'syntax', '"plan"'],
    ['{"a": 010}', 'syntax', '010'],
  ])('refuses %s as %s', (source, kind, at) => {
    const translation = translateMongoDb(source);
    const refusal = 'reason' in translation ? translation : expect.unreachable();
    expect([refusal.kind, source.slice(refusal.span.start, refusal.span.end)]).toEqual([kind, at]);
  });
});

/** Evaluates a rule as the reference implementation of JSON Logic does. */
function applyRule(rule: unknown, record: Fields): unknown {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return rule;
  const [[name = '', operands] = []] = Object.entries(rule);
  const list = Array.isArray(operands) ? operands : [operands];
  if (name === 'var') return record[list[0]] ?? list[1] ?? null;
  if (name === 'if') return applyRule(applyRule(list[0], record) ? list[1] : list[2], record);
  const values = list.map((operand) => applyRule(operand, record));
  const [a, b, c] = values as number[];
  switch (name) {
    case 'and':
      return values.every(Boolean);
    case 'or':
      return values.some(Boolean);
    case '!':
      return !a;
    case '!!':
      return Boolean(a);
    case '==':
      // biome-ignore lint/suspicious/noDoubleEquals: JSON Logic compares as JavaScript does
      return a == b;
    case '!=':
      // biome-ignore lint/suspicious/noDoubleEquals: as above
      return a != b;
    case '===':
      return a === b;
    case '<':
      return c === undefined ? (a as number) < (b as number) : (a as number) < (b as number) && (b as number) < c;
    case '<=':
      return (a as number) <= (b as number);
    case '>':
      return (a as number) > (b as number);
    case '>=':
      return (a as number) >= (b as number);
    case 'in':
      return typeof (b as unknown) === 'string' || Array.isArray(b)
        ? (b as unknown as string).includes(a as never)
        : false;
    case '+':
      return values.reduce((sum: number, value) => sum + Number.parseFloat(value as string), 0);
    case '*':
      return values.reduce((product: number, value) => product * Number.parseFloat(value as string), 1);
    case '-':
      return (a as number) - (b as number);
    case '/':
      return (a as number) / (b as number);
    default:
      return expect.unreachable();
  }
}

const numeric = fc.oneof(
  fc.constantFrom(...NUMBERS).map((name) => ({ var: name })),
  fc.tuple(fc.constantFrom(...NUMBERS), number).map((operands) => ({ var: operands })),
  fc
    .tuple(fc.constantFrom('+', '-', '*'), fc.constantFrom(...NUMBERS), number)
    .map(([operator, name, other]) => ({ [operator]: [{ var: name }, other] })),
  fc.constantFrom({ '-': [{ var: 'amount' }, { var: 'score' }] }, { '/': [{ var: 'amount' }, 4] }),
);
const order = fc.constantFrom('<', '<=', '>', '>=', '==', '!=', '===');
const anyRule = fc.letrec<{ rule: unknown }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(order, numeric, fc.oneof(number, numeric)).map(([operator, ...operands]) => ({ [operator]: operands })),
    fc.tuple(number, numeric, number).map((operands) => ({ '<': operands })),
    fc
      .tuple(
        fc.constantFrom('==', '!=', '==='),
        fc.constantFrom(...STRINGS),
        fc.constantFrom('pro', 'free', 'DE', null),
      )
      .map(([operator, name, value]) => ({ [operator]: [{ var: name }, value] })),
    fc.constantFrom({ '==': [{ var: 'plan' }, { var: 'country' }] }, { '!=': [{ var: 'plan' }, { var: 'country' }] }),
    fc.constantFrom(
      { in: ['pr', { var: 'plan' }] },
      { in: [{ var: 'plan' }, ['pro', 'free']] },
      { in: [{ var: 'plan' }, ['pro', null]] },
    ),
    fc.constantFrom('plan', 'amount', 'active').map((name) => ({ var: name })),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('rule'), { minLength: 1, maxLength: 3 }))
      .map(([operator, rules]) => ({ [operator]: rules })),
    fc.tuple(fc.constantFrom('!', '!!'), tie('rule')).map(([operator, rule]) => ({ [operator]: [rule] })),
    fc.tuple(tie('rule'), tie('rule'), tie('rule')).map((rules) => ({ if: rules })),
  ),
})).rule;

describe('translateJsonLogic', () => {
  it('selects the records for which the rule is truthy', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        const source = JSON.stringify(rule);
        const translation = translateJsonLogic(source);
        if ('reason' in translation) expect(['division', 'type', 'size']).toContain(translation.kind);
        else expectSameRecords(source, translation, (record) => Boolean(applyRule(rule, record)));
      }),
      { numRuns: runs(3000) },
    );
  });

  it.each([
    '{"!": [{"==": [{"var": "plan"}, "pro"]}]}',
    '{"!!": [{"var": "plan"}]}',
    '{"if": [{"==": [{"var": "plan"}, "pro"]}, {">": [{"var": "amount"}, 0]}, {"var": "active"}]}',
    '{"<": [{"var": "amount"}, 12]}',
    '{">=": [0, {"var": "amount"}]}',
    '{"in": [{"var": "plan"}, ["pro", null]]}',
  ])('selects the records for which %s is truthy', (source) => {
    const rule = JSON.parse(source);
    expectSameRecords(source, translateJsonLogic(source), (record) => Boolean(applyRule(rule, record)));
  });

  it.each([
    ['{"map": [{"var": "a"}, 1]}', 'operator'],
    ['{"var": ""}', 'name'],
    ['{"/": [{"var": "a"}, {"var": "b"}]}', 'division'],
    ['{"==": [1, 2], "!=": [1, 2]}', 'syntax'],
    ['{"and": []}', 'syntax'],
    ['{"or": []}', 'syntax'],
    ['{">=": [{"var": "x"}, ""]}', 'type'],
    ['{"<": [{"var": ["x", ""]}, {"var": "y"}]}', 'type'],
  ])('refuses %s as %s', (source, kind) => {
    expect(translateJsonLogic(source)).toMatchObject({ kind });
  });

  it.each([
    ['{"==": [{"var": "amount"}, "5"]}', "'5' is compared as a string. Remove the quotes if the property is a number."],
    ['{"!=": [{"var": "active"}, 1]}', '1 is compared as a number. Write true instead if the property is a boolean.'],
    ['{"!!": {"var": "tags"}}', 'An empty list counts as true. In JSON Logic it is false.'],
    ['{"!": {"var": "tags"}}', 'An empty list counts as true. In JSON Logic it is false.'],
    ['{"var": "tags"}', 'An empty list counts as true. In JSON Logic it is false.'],
    ['{"<": [{"var": "a"}, {"var": "b"}]}', 'Both properties are read as numbers. A missing one counts as 0.'],
    ['{"<": [{"var": "amount"}, 1]}', describeLooseness('JSON Logic')],
    ['{"<": [{"var": "amount"}, null]}', describeLooseness('JSON Logic')],
    ['{"==": [{"var": "amount"}, 5]}', describeLooseness('JSON Logic')],
    ['{"===": [{"+": [{"var": "amount"}, 1]}, 5]}', describeLooseness('JSON Logic')],
    ['{"==": [{"var": "plan"}, null]}', 'Some programs also find 0 and false equal to null. Write === for null alone.'],
    ['{"===": [{"var": ["plan", "pro"]}, "pro"]}', 'The default also replaces null. Some programs keep null.'],
    ['{"===": [{"var": "plan"}, {"var": "country"}]}', LISTS_NOTE],
  ])('notes what %s assumes', (source, note) => {
    expect(translateJsonLogic(source)).toMatchObject({ notes: expect.arrayContaining([note]) });
  });

  it.each([
    '{"===": [{"var": "amount"}, 1]}',
    '{"==": [{"var": "plan"}, "pro"]}',
    '{"===": [{"var": "plan"}, null]}',
    '{"in": [{"var": "plan"}, ["pro"]]}',
  ])('needs no note for %s', (source) => {
    expect(translateJsonLogic(source)).toMatchObject({ notes: [] });
  });

  it.each([
    ['', false],
    ['pro', true],
    [undefined, false],
  ])('finds the empty string in %j: %s', (plan, expected) => {
    const translation = translateJsonLogic('{"in": ["", {"var": "plan"}]}');
    expectSameRecords('in', translation, (record) => Boolean(record.plan));
    const { expression } = 'expression' in translation ? translation : expect.unreachable();
    expect(compileWhere(expression)({ plan })).toBe(expected);
  });
});
