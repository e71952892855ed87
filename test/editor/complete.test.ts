import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/api/expressions.ts';
import { complete } from '../../src/editor/complete.ts';
import { getChildren, walk } from '../../src/lang/ast.ts';
import type { Schema } from '../../src/lang/check/schema.ts';
import { tryParse } from '../../src/lang/syntax/parse.ts';
import { sources } from '../arbitraries.ts';

const schema: Schema = {
  properties: {
    plan: { types: ['string', 'null'], values: ['free', 'pro'], description: 'What is paid for.' },
    amount: { types: ['number'], values: [1, 20] },
    total_amount: { types: ['string'] },
    tags: { types: ['list'], values: ['sale', 7] },
    'a "q"': { types: [] },
  },
  user: { age: { types: ['number'] } },
};

/** Returns the labels of the completions at the `|`. */
function getLabels(marked: string, known: Schema | undefined = schema): string[] {
  const offset = marked.indexOf('|');
  return complete(marked.replace('|', ''), offset, known).items.map(({ label }) => label);
}

/** Accepts the first completion at the `|`, and marks the new position of the cursor with `|`. */
function acceptFirst(marked: string, known: Schema | undefined = schema): string {
  const offset = marked.indexOf('|');
  const source = marked.replace('|', '');
  const { span, items } = complete(source, offset, known);
  const [{ insert, cursor = insert.length } = { insert: '' }] = items;
  return `${source.slice(0, span.start)}${insert.slice(0, cursor)}|${insert.slice(cursor)}${source.slice(span.end)}`;
}

const names = ['plan', 'amount', 'total_amount', 'tags', 'a "q"'];

describe('complete offers', () => {
  it.each<[string, string[]]>([
    ['pl|', ['plan']],
    ['AM|', ['amount', 'total_amount']],
    ['number(fl|', ['floor']],
    ['not tr|', ['true', 'string']],
    ['ag|', ['user["age"]', 'tags']],
    ['properties["|', names],
    ['properties["|"] == 1', names],
    ['properties[|]', names],
    ['event["am|', ['amount', 'total_amount']],
    ['user["|', ['age']],
    ['properties["plan"] == "|', ['"free"', '"pro"']],
    ['properties["plan"] != "p|"', ['"pro"']],
    ['"|" == event["plan"]', ['"free"', '"pro"']],
    ['properties["plan"] in ["free", |]', ['"free"', '"pro"']],
    ['properties["plan"] in ["free", "p|', ['"pro"']],
    ['properties["amount"] in [-|]', []],
    ['"|" in properties["tags"]', ['"sale"']],
    ['properties["amount"] == 2|', ['20']],
    ['properties["plan"] < "|"', []],
    ['properties["plan"] == "pro" a|', ['and']],
    ['properties["plan"] i|', ['in']],
    ['properties["plan"] == "pro|" "x"', ['"pro"']],
    ['flo|(1)', ['floor']],
    ['prop|["plan"]', ['properties']],
    ['properties.|', []],
    ['properties |', []],
    ['1 + 10|', []],
    ['properties["plan"|', []],
    ['properties["plan"] in ["free" |]', []],
  ])('%s', (marked, labels) => {
    expect(getLabels(marked)).toEqual(labels);
  });

  it.each<[string, string[]]>([
    ['plan == 1 and user["|', ['age']],
    ['1 + and properties["am|', ['amount', 'total_amount']],
    ['(plan) or properties["plan"] == "|', ['"free"', '"pro"']],
    ['properties["plan"] in [basic, "f|', ['"free"']],
    ['properties["plan"] in ["free" "x", "p|', ['"pro"']],
    ['properties["plan"] in ["free" and user["|', ['age']],
    ['contains(properties["plan"], "x") a|', ['and']],
  ])('after an error: %s', (marked, labels) => {
    expect(getLabels(marked)).toEqual(labels);
  });

  it('the values of the compared property first', () => {
    expect(getLabels('properties["plan"] == |').slice(0, 3)).toEqual(['"free"', '"pro"', 'plan']);
  });

  it('a comparison after a value, and `and` after a comparison', () => {
    expect(getLabels('properties["plan"] |')[0]).toBe('==');
    expect(getLabels('true or properties["plan"] |')[0]).toBe('==');
    expect(getLabels('properties["plan"] == "pro" |')[0]).toBe('and');
  });

  it('the properties of the source if there is no schema', () => {
    const source = 'properties["one"] == user["two"] and ';
    expect(
      complete(source, source.length)
        .items.slice(0, 2)
        .map(({ label }) => label),
    ).toEqual(['one', 'user["two"]']);
    const inner = `properties["|"] == ${source}1`;
    expect(complete(inner.replace('|', ''), inner.indexOf('|')).items.map(({ label }) => label)).toEqual(['one']);
  });

  it('types and documentation with each item', () => {
    const [plan] = complete('pl', 2, schema).items;
    expect(plan).toEqual({
      label: 'plan',
      insert: 'properties["plan"]',
      kind: 'property',
      detail: 'string or null',
      documentation: 'What is paid for.\n\nValues: `"free"`, `"pro"`',
    });
    const [ceil] = complete('cei', 3).items;
    expect(ceil).toMatchObject({ kind: 'function', detail: 'number' });
    expect(ceil?.documentation).toContain('`ceil(');
  });
});

describe('the first completion inserts', () => {
  it.each([
    ['pl|', 'properties["plan"]|'],
    ['1 < flo|', '1 < floor(|)'],
    ['flo|(1)', 'floor|(1)'],
    ['eve|', 'event["|"]'],
    ['eve|["plan"]', 'event|["plan"]'],
    ['properties["|', 'properties["plan"]|'],
    ['properties["pl|"] == 1', 'properties["plan"]| == 1'],
    ["properties['pl|'] == 1", 'properties["plan"]| == 1'],
    ['properties["pl|] == 1', 'properties["plan"|] == 1'],
    ['properties[|]', 'properties["plan"]|'],
    ['properties[|"x"] == 1', 'properties["plan"]| == 1'],
    ['properties["a|', 'properties["amount"]|'],
    ['properties["q|', 'properties["a \\"q\\""]|'],
    ['properties["plan"] == "f|" and true', 'properties["plan"] == "free"| and true'],
    ['properties["plan"] == pr|', 'properties["plan"] == "pro"|'],
  ])('%s', (marked, after) => {
    expect(acceptFirst(marked)).toBe(after);
  });
});

describe('complete', () => {
  it('accepts any string and offset, and replaces a span around the offset', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          sources.map(({ source }) => source),
        ),
        fc.nat(),
        (source, at) => {
          const offset = at % (source.length + 1);
          const { span } = complete(source, offset, schema);
          expect(span.start).toBeLessThanOrEqual(offset);
          expect(span.end).toBeGreaterThanOrEqual(offset);
          expect(source.slice(span.start, span.end)).not.toMatch(/[\r\n]/);
        },
      ),
    );
  });

  it('offers each property at the place where an expression reads it', () => {
    fc.assert(
      fc.property(sources, fc.nat(), ({ tree, source }, choice) => {
        const properties = [...walk(tree)].filter((node) => node.kind === 'property');
        const node = properties[choice % Math.max(1, properties.length)];
        if (node === undefined) return;
        const empty = `${source.slice(0, node.span.start)} ${source.slice(node.span.end)}`;
        const known = { [node.scope === 'user' ? 'user' : 'properties']: { [node.name]: { types: ['string'] } } };
        const { span, items } = complete(empty, node.span.start, known as Schema);
        const completed = items.map(({ insert }) => `${empty.slice(0, span.start)}${insert}${empty.slice(span.end)}`);
        const found = completed.map((expression) => tryParse(expression).tree).filter((parsed) => parsed !== undefined);
        const reads = found.flatMap((parsed) => [...walk(parsed)].filter((each) => each.kind === 'property'));
        expect(reads.some(({ name }) => name === node.name)).toBe(true);
      }),
    );
  });

  it('offers operators that are valid after an operand', () => {
    fc.assert(
      fc.property(sources, ({ tree, source }) => {
        if (getChildren(tree).length > 0) return;
        for (const { insert } of complete(`${source} `, source.length + 1).items) {
          const right = insert === 'in' ? '["x"]' : insert === 'and' || insert === 'or' ? 'true' : '1';
          expect(
            check(`${source} ${insert} ${right}`).diagnostics.filter(({ code }) => code.includes('operator')),
          ).toEqual([]);
        }
      }),
    );
  });
});

it('complete offers nothing in a source that is too long for an expression', () => {
  const longest = `${' '.repeat(65_533)}pla`;
  expect(longest).toHaveLength(65_536);
  expect(complete(longest, longest.length, schema).items).toMatchObject([{ label: 'plan' }]);
  const longer = ` ${longest}`;
  expect(complete(longer, longer.length, schema)).toEqual({ span: { start: 65_537, end: 65_537 }, items: [] });
});

it('completions list 100 values and count the others', () => {
  const values = Array.from({ length: 1234 }, (_, index) => index);
  const [plan] = complete('', 0, { properties: { plan: { types: ['number'], values } } }).items;
  expect(plan?.documentation).toMatch(/^Values: `0`, `1`, .*, `99` and 1,134 others$/);
});
