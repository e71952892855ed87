import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterSet } from '../src/api/filter-set.ts';
import { compileWhere, createBatchFromRecords } from '../src/api/index.ts';
import { Random } from '../src/data/random.ts';
import type { Expression } from '../src/lang/ast.ts';
import { ExpressionCheckError, ExpressionTypeError } from '../src/lang/errors.ts';
import { EqualFilters } from '../src/lang/filters/equal-filters.ts';
import { countSteps } from '../src/lang/steps.ts';
import { parse } from '../src/lang/syntax/parse.ts';
import { print } from '../src/lang/syntax/print.ts';
import { logical, prefix } from './arbitraries.ts';
import type { Input } from './engines.ts';
import { respell } from './respell.ts';
import { runs, splitRuns } from './runs.ts';
import { drawCase } from './value-first.ts';

/** Random sequences of changes to sets with about {@link FILTERS} filters. */
const RUNS = runs(100, 2);
const FILTERS = 200;
const CHANGES = 1_000;

/** The number of changes before records are matched again, each the record of one of the last filters. */
const CHANGES_PER_MATCH = 50;
const RECORDS = 20;

/** The answer of a filter for a record: true, or the message of a type error. */
type Answer = true | string;

describe('a filter set', () => {
  it(
    `answers as its filters do one by one, through ${RUNS} × ${CHANGES} changes`,
    () => {
      const seen = { pairs: 0, matches: 0, failures: 0 };
      const accesses = new Map<string, number>();
      let equals = 0;
      const law = fc.property(fc.noShrink(fc.noBias(fc.nat())), (seed) => {
        const random = new Random(seed);
        const model = new Model();
        const records: Input[] = [];
        for (let change = 1; change <= CHANGES; change++) {
          const record = changeFilter(model, random);
          records[random.integer(0, RECORDS - 1)] = record;
          if (change % CHANGES_PER_MATCH === 0) expectAgreement(model, Object.values(records), seen);
        }
        expect(model.set.size).toBe(model.filters.size);
        for (const id of model.filters.keys()) {
          const { access, equal } = model.set.cost(id);
          accesses.set(access, (accesses.get(access) ?? 0) + 1);
          equals += equal.length;
        }
      });
      const { seeded, fresh } = splitRuns(RUNS);
      fc.assert(law, seeded);
      if (process.env.ONWHERE_RUNS !== undefined) console.log(seen, accesses);
      // A corpus of filters that never match, or that are always evaluated, would prove little.
      expect(seen.matches / seen.pairs).toBeGreaterThan(0.1);
      expect(seen.failures / seen.pairs).toBeGreaterThan(0.001);
      expect(equals).toBeGreaterThan(RUNS);
      expect([...accesses.keys()].sort()).toEqual(['always', 'equal', 'never', 'present', 'range']);
      fc.assert(law, fresh);
    },
    6 * 3_600_000,
  );

  it('finds in a batch what it finds in each of its records, however many there are', () => {
    const seen = { rows: 0, failures: 0 };
    const law = fc.property(
      fc.nat(),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 120 }),
      (seed, filters, rows) => {
        const random = new Random(seed);
        const cases = Array.from({ length: filters }, () => drawCase(random.integer(0, 2 ** 31 - 1), 40));
        const set = new FilterSet<number>({ now: 1_750_000_000 });
        for (const [id, { tree }] of cases.entries()) {
          try {
            set.add(id, print(tree)).add(-id - 1, print(tree));
          } catch (error) {
            if (!(error instanceof ExpressionCheckError)) throw error;
          }
        }
        const records = cases.flatMap((one) => one.records).slice(0, rows);
        const matches = records.map(({ properties, user }) => set.match(properties, user));
        const found = set.matchBatch(
          createBatchFromRecords(records.map(({ properties, user }) => ({ properties, user }))),
        );
        const expected = new Map<number, number[]>();
        for (const [row, { ids }] of matches.entries())
          for (const id of ids) expected.set(id, [...(expected.get(id) ?? []), row]);
        const describeFailure = (row: number, { id, error }: { id: number; error: ExpressionTypeError }) =>
          `${row} ${id} ${error.message}`;
        expect(found.rows).toEqual(expected);
        expect(found.failures.map((one) => describeFailure(one.row, one)).sort()).toEqual(
          matches.flatMap(({ failures }, row) => failures.map((one) => describeFailure(row, one))).sort(),
        );
        const failing = found.failures.map(({ row }) => row);
        expect(failing).toEqual(failing.toSorted((left, right) => left - right));
        seen.rows += expected.size;
        seen.failures += failing.length;
      },
    );
    const { seeded, fresh } = splitRuns(runs(300));
    fc.assert(law, seeded);
    // Filters that never match or fail would prove little.
    expect(Math.min(seen.rows, seen.failures)).toBeGreaterThan(seeded.numRuns / 2);
    fc.assert(law, fresh);
  });

  it('refuses a filter that fails on every record, and keeps the one that it would replace', () => {
    const set = new FilterSet().add('a', 'properties["x"] == 1');
    expect(() => set.add('a', '5 and true')).toThrow(ExpressionCheckError);
    expect(() => set.add('b', 'properties[')).toThrow('never closed');
    expect([set.size, set.has('a'), set.has('b'), set.match({ x: 1 }).ids]).toEqual([1, true, false, ['a']]);
  });

  it('reads the time once for a record', () => {
    let reads = 0;
    const set = new FilterSet({ now: () => 100 + reads++ });
    set.add('plain', 'properties["x"] == 1');
    set.match({ x: 1 });
    expect(reads).toBe(0);
    set.add('now', 'now == 100').add('also', 'properties["x"] < now');
    expect(set.match({ x: 1 }).ids.sort()).toEqual(['also', 'now', 'plain']);
    expect(reads).toBe(1);
  });

  it.each([
    ['properties["plan"] == "pro" and "a" in properties["url"]', 'equal', ['properties["plan"] == "pro"']],
    ['properties["plan"] in ["a", 1]', 'equal', ['properties["plan"] == "a"', 'properties["plan"] == 1']],
    ['boolean(properties["paid"])', 'equal', ['boolean(properties["paid"]) == true']],
    ['number(properties["n"]) > 5 or user["n"] <= 2', 'range', ['number(properties["n"]) >= 5', 'user["n"] <= 2']],
    ['"a" in properties["url"]', 'present', ['defined(properties["url"])']],
    ['properties["time"] > now - 60', 'present', ['defined(properties["time"])']],
    ['properties["paid"] and user["x"] == 1', 'equal', ['user["x"] == 1', 'properties["paid"] is not a boolean']],
    ['properties["plan"] != "pro"', 'always', []],
    ['1 == 2', 'never', []],
  ])('tells when it evaluates %s', (source, access, keys) => {
    const cost = new FilterSet().add('a', source).cost('a');
    expect(cost.access).toBe(access);
    expect(cost.keys.map((key) => key.replace('5.000000000000001', '5'))).toEqual(keys);
  });

  it.each([
    'not defined(properties["x"])',
    'defined(properties["x"]) == false',
    'boolean(properties["x"]) == false',
    'boolean(properties["x"]) != true',
    'not boolean(properties["x"])',
    'not properties["x"]',
    'properties["x"] != 1',
    'not (properties["x"] > 1)',
    'properties["x"] == properties["y"]',
    'properties["x"] == user["x"]',
    'not (properties["x"] in [1, 2, 3])',
    'string(properties["x"]) == string(properties["y"])',
    'number(properties["x"]) != 0',
    'defined(properties["x"]) in [false]',
  ])('matches records without the property: %s', (source) => {
    const set = new FilterSet().add('alone', source).add('and', `${source} and properties["z"] == 1`);
    expect(compileWhere(source)({})).toBe(true);
    expect(set.match({}).ids).toEqual(['alone']);
    expect(set.match({ z: 1 }).ids.sort()).toEqual(['alone', 'and']);
  });

  it('explains one filter, and refuses an id that it does not have', () => {
    const set = new FilterSet().add('a', 'properties["x"] == 1');
    expect(set.explain('a', { x: 2 }).value).toBe(false);
    expect(() => set.explain('b', {})).toThrow(new RangeError('There is no filter b in the set'));
    expect(() => set.cost('b')).toThrow(RangeError);
    expect([set.remove('b'), set.remove('a'), set.size]).toEqual([false, true, 0]);
  });

  it('names equal filters, whatever their order and spelling', () => {
    const set = new FilterSet()
      .add('a', 'properties["x"] == 1 and properties["y"] in ["p", "q"]')
      .add('b', `(event['y'] == "q" or event['y'] == "p") and 1 == properties["x"]`)
      .add('c', 'properties["y"] in ["q", "p"] and properties["x"] == 1 and properties["x"] == 1')
      .add('other', 'properties["x"] == 1 and properties["y"] in ["p"]');
    expect([...'abc'].map((id) => set.cost(id).equal.join(''))).toEqual(['bc', 'ac', 'ab']);
    expect([set.cost('other').equal, set.size]).toEqual([[], 4]);
    expect(set.explain('b', { x: 1, y: 'q' })).toMatchObject({ value: true, equal: ['a', 'c'], span: { start: 0 } });
    expect(set.explain('b', {}).children[1]?.code).toBe('1 == properties["x"]');
  });

  it.each([
    ['a change of the order of sides', 'properties["x"] < properties["y"]', 'properties["y"] < properties["x"]'],
    ['a difference', 'properties["x"] - properties["y"] == 1', 'properties["y"] - properties["x"] == 1'],
    ['an operand alone', 'not (properties["x"] and properties["x"])', 'not properties["x"]'],
    ['type errors', 'properties["x"] and true', 'true and properties["x"]'],
    ['a scope', 'properties["x"] == 1', 'user["x"] == 1'],
    ['a type', 'properties["x"] == 1', 'properties["x"] == "1"'],
    ['and for or', 'properties["x"] == 1 and user["y"] == 1', 'properties["x"] == 1 or user["y"] == 1'],
  ])('does not take filters for equal that differ in %s', (_, one, other) => {
    expect(new FilterSet().add('one', one).add('other', other).cost('one').equal).toEqual([]);
  });

  it('keeps a filter when an equal one is removed or replaced, and the source of each', () => {
    const source = 'properties["x"] and properties["y"] == 2';
    const set = new FilterSet().add('a', source).add('b', source).add('c', source);
    expect(set.match({ x: 5 }).failures.map(({ id, error }) => [id, error.source])).toEqual(
      [...'abc'].map((id) => [id, source]),
    );
    expect([set.remove('a'), set.has('a'), set.size]).toEqual([true, false, 2]);
    expect(set.match({ x: true, y: 2 }).ids.sort()).toEqual(['b', 'c']);
    set.add('c', 'properties["x"] == 7');
    expect([set.cost('b').equal, set.match({ x: 7 }).ids]).toEqual([[], ['c']]);
    set.add('c', source).remove('b');
    expect([set.match({ x: true, y: 2 }).ids, set.remove('c'), set.size]).toEqual([['c'], true, 0]);
    expect(set.match({ x: true, y: 2 })).toEqual({ ids: [], failures: [] });
  });

  it('evaluates equal filters once', () => {
    const set = new FilterSet().add('a', 'properties["x"] * 2 == properties["y"]');
    const { steps } = countSteps(() => set.match({ x: 1, y: 2 }));
    for (let index = 0; index < 100; index++) set.add(`a${index}`, 'properties["y"] == properties["x"] * 2');
    expect(countSteps(() => set.match({ x: 1, y: 2 }))).toMatchObject({ steps, result: { ids: { length: 101 } } });
  });

  it('tells filters apart whose keys have the same hash', () => {
    const equals = new EqualFilters();
    // Found by trying.
    const [one, other] = ['k87022', 'k147620'];
    equals.add(one, 1);
    expect(equals.find(other, () => one)).toBeUndefined();
    equals.add(other, 2);
    const getKey = (slot: number) => (slot === 1 ? one : other);
    expect([one, other].map((key) => equals.find(key, getKey))).toEqual([1, 2]);
    equals.remove(1);
    expect([one, other].map((key) => equals.find(key, getKey))).toEqual([undefined, 2]);
  });

  it('matches records that hide their properties, or throw', () => {
    const set = new FilterSet().add('a', 'properties["x"] == 1').add('b', 'defined(properties["y"])');
    const hidden = Object.defineProperty({}, 'x', { value: 1, enumerable: false });
    const throwing = new Proxy({ x: 1 }, { ownKeys: () => expect.unreachable() });
    for (const record of [hidden, throwing, Object.assign(Object.create(null), { x: 1 })])
      expect(set.match(record).ids).toEqual(compileWhere('properties["x"] == 1')(record) ? ['a'] : []);
  });

  it('refuses the getters of a record that it reads', () => {
    const set = new FilterSet().add('a', 'properties["x"] == 1 and properties["y"] == 2');
    const uses = [() => set.match({ y: 3 }), () => set.add('b', 'true'), () => set.remove('a')];
    for (const use of uses) {
      const problems: unknown[] = [];
      const read = () => {
        try {
          use();
        } catch (error) {
          problems.push(error);
        }
        return 2;
      };
      expect(set.match(Object.defineProperty({ x: 1 }, 'y', { get: read, enumerable: true })).ids).toEqual(['a']);
      expect(problems).toContainEqual(new Error('A getter of a record cannot use the filter set that reads it'));
    }
    expect([set.match({ x: 1, y: 2 }).ids, set.size]).toEqual([['a'], 1]);
  });
});

/** A filter set, and a plain map with a compiled function for each filter. */
class Model {
  now = 0;
  readonly set = new FilterSet<number>({ now: () => this.now });
  readonly filters = new Map<number, ReturnType<typeof compileWhere>>();

  add(id: number, source: string): void {
    try {
      const where = compileWhere(source, { now: () => this.now });
      this.set.add(id, source);
      this.filters.set(id, where);
    } catch (error) {
      if (!(error instanceof ExpressionCheckError)) throw error;
      expect(() => this.set.add(id, source)).toThrow(ExpressionCheckError);
    }
  }

  remove(id: number): void {
    expect(this.set.remove(id)).toBe(this.filters.delete(id));
  }

  /** Returns the filters that match or fail. */
  getAnswers({ properties, user }: Input): Map<number, Answer> {
    const answers = new Map<number, Answer>();
    for (const [id, where] of this.filters) {
      try {
        if (where(properties, user)) answers.set(id, true);
      } catch (error) {
        if (!(error instanceof ExpressionTypeError)) throw error;
        answers.set(id, error.message);
      }
    }
    return answers;
  }
}

/** Adds, replaces or removes a filter. Returns a record with values that the filter is about. */
function changeFilter(model: Model, random: Random): Input {
  const draw = () => drawCase(random.integer(0, 2 ** 31 - 1), 1);
  const { tree, records } = draw();
  const id = random.integer(0, FILTERS);
  const known = model.filters.get(random.integer(0, FILTERS));
  const choice = random.integer(0, 9);
  if (choice < 2) model.remove(id);
  else if (choice < 4 && known !== undefined) model.add(id, rewrite(known.source, random));
  else model.add(id, print(combine(tree, random, () => draw().tree)));
  return records[0] as Input;
}

/** Writes a filter in another spelling, or with its operands in the other order, or with one of them twice. */
function rewrite(source: string, random: Random): string {
  const tree = parse(source);
  if (tree.kind !== 'logical' || random.chance(0.2)) return respell(tree, random.integer(0, 2 ** 31 - 1));
  const reversed = tree.operands.toReversed();
  return print(logical(tree.operator, random.chance(0.5) ? reversed : [...reversed, ...tree.operands.slice(0, 1)]));
}

/** Makes a filter as people write them of a condition, at times. */
function combine(tree: Expression, random: Random, draw: () => Expression): Expression {
  switch (random.integer(0, 5)) {
    case 0:
      return logical('and', [tree, draw(), draw()]);
    case 1:
      return logical('or', [tree, draw()]);
    case 2:
      return prefix('not', tree);
    default:
      return tree;
  }
}

function expectAgreement(
  model: Model,
  records: readonly Input[],
  seen: { pairs: number; matches: number; failures: number },
): void {
  const rows: Map<number, Answer>[] = [];
  for (const record of records) {
    model.now = record.now ?? 0;
    const { ids, failures } = model.set.match(record.properties, record.user);
    const found: [id: number, answer: Answer][] = ids.map((id) => [id, true]);
    for (const { id, error } of failures) found.push([id, error.message]);
    const answers = model.getAnswers(record);
    expect(new Map(found)).toEqual(answers);
    expect(found).toHaveLength(answers.size);
    seen.pairs += model.filters.size;
    seen.matches += ids.length;
    seen.failures += failures.length;
  }
  const batch = createBatchFromRecords(records.map(({ properties, user }) => ({ properties, user })));
  const matches = model.set.matchBatch(batch);
  for (const record of records) rows.push(model.getAnswers(record));
  const found = records.map(() => new Map<number, Answer>());
  for (const [id, all] of matches.rows) for (const row of all) found[row]?.set(id, true);
  for (const { id, row, error } of matches.failures) found[row]?.set(id, error.message);
  expect(found).toEqual(rows);
}
