import { toJsonSchema } from '@valibot/to-json-schema';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { check } from '../src/api/expressions.ts';
import { compileWhere, readSchema } from '../src/api/index.ts';
import { filtersFor } from '../src/api/typed.ts';
import { runs } from './runs.ts';
import { setUpTypeCheck } from './type-check.ts';

const typeCheck = setUpTypeCheck();

const TYPES = `
import { filtersFor } from 'onwhere/typed';
interface Purchase {
  plan: 'free' | 'pro';
  amount: number;
  country?: string | null;
  tags: string[];
  vip: boolean;
  raw: unknown;
  404: string;
}
const { compileNumber, compileOn, compileWhere } = filtersFor<Purchase, { age: number }>();
`;

/** The same types as a schema. */
const SCHEMA = {
  properties: {
    plan: { types: ['string'], values: ['free', 'pro'] },
    amount: { types: ['number'] },
    country: { types: ['string', 'null'] },
    tags: { types: ['list'] },
    vip: { types: ['boolean'] },
  },
  user: { age: { types: ['number'] } },
} as const;

/** Returns what TypeScript says of each text as a filter, without the text itself. */
function checkTypes(texts: readonly string[]): (string | undefined)[] {
  const lines = texts.map((text) => `compileWhere(${JSON.stringify(text)});`);
  const mistakes = typeCheck(TYPES + lines.join('\n'));
  const first = TYPES.split('\n').length - 1;
  return texts.map((_, index) => {
    const found = mistakes.find(({ line }) => line === first + index)?.text;
    const [, message] = /parameter of type '(.*)'\.$/s.exec(found ?? '') ?? [];
    return message?.startsWith('"') ? JSON.parse(message) : (message ?? found);
  });
}

const MISTAKES: readonly (readonly [text: string, message: string])[] = [
  ['properties["paln"] == "pro"', 'There is no properties["paln"] in these types'],
  ['user["plan"] == "pro"', 'There is no user["plan"] in these types'],
  ['event [ "paln" ]', 'There is no event["paln"] in these types'],
  ['number(PROPERTIES["amuont"]) > 1', 'There is no properties["amuont"] in these types'],
  [`"it's" == 'properties["x"]' or properties['nope']`, 'There is no properties["nope"] in these types'],
  [
    String.raw`properties["country"] == "a\"b\\" and properties["nope"]`,
    'There is no properties["nope"] in these types',
  ],
  ['properties["vip"] and properties["plan"] == "porr"', 'properties["plan"] is never "porr"'],
  ['not properties["plan"] != "Pro"', 'properties["plan"] is never "Pro"'],
  ['(properties["plan"] in ["free", "x"])', 'properties["plan"] is never "x"'],
  ['properties["plan"]IN[1]', 'properties["plan"] is never 1'],
  ['properties["amount"] == true', 'properties["amount"] is never true'],
  ['properties["amount"] > "100"', 'properties["amount"] is not ordered with "100"'],
  ['user["age"]>="18"', 'user["age"] is not ordered with "18"'],
  ['properties["country"] <= 5\nor true', 'properties["country"] is not ordered with 5'],
];

it('refuses names and values that the types do not have, with a message', () => {
  expect(checkTypes(MISTAKES.map(([text]) => text))).toEqual(MISTAKES.map(([, message]) => message));
});

const RIGHT = [
  'properties["plan"] == "pro" and number(properties["amount"]) > 100',
  `properties['plan'] in ['pro', "free"] or USER [ 'age' ] >= 18 and properties["404"] == "a"`,
  'properties["country"] == "Curaçao" and not properties["vip"] == true',
  '"a" in properties["tags"] and properties["tags"] == "a" and properties["raw"] == 5',
  '"x" + properties["plan"] == "xpro"',
  'properties["plan"] == "p" + "ro"',
  'properties["amount"] == 1e3 or properties["amount"] == -5.5 or properties["amount"] > .5',
  '"properties[\\"paln\\"]" == properties["plan"]',
  `properties["country"] == 'properties["paln"]'`,
  String.raw`properties["pl\u0061n"] == "pro"`,
  'properties["plan"] =',
  'properties["plan',
  '',
  Array.from({ length: 60 }, (_, n) => `properties["country"] == "c${n}"`).join(' or '),
];

it('accepts texts without these mistakes, and leaves others to the compiler', () => {
  expect(checkTypes(RIGHT)).toEqual(RIGHT.map(() => undefined));
});

it('types the records and the results', () => {
  const program = (code: string) => typeCheck(TYPES + code).map(({ text }) => text);
  const record = `{ plan: 'pro', amount: 1, tags: [], vip: true, raw: 1, 404: '' } as const`;
  const right = `
    const isPro: boolean = compileWhere('properties["plan"] == "pro"')(${record}, { age: 1 });
    const plans: string[] = compileOn('properties["plan"]')(${record});
    const total: number = compileNumber('properties["amount"]')(${record});
    const text: string = String(isPro) + plans + total;
    compileWhere(text, { timeZone: 'UTC' });
    type Either = { kind: 'a'; x: number } | { kind: 'b'; y: string };
    filtersFor<Either>().compileWhere('properties["kind"] == "a" and properties["x"] == 5 and properties["y"] == "b"');
    filtersFor<Record<string, string>>().compileWhere('properties["any"] == "a" and user["any"] == 5');
  `;
  expect(program(right)).toEqual([]);
  const wrong = `
    compileWhere('true')({ plan: 'pro' });
    compileNumber('properties["amuont"]');
    compileOn('properties["paln"]');
  `;
  expect(program(wrong)).toHaveLength(3);
});

it('refuses nothing that the checker accepts without a warning for the same types', () => {
  const names = ['plan', 'amount', 'country', 'tags', 'vip', 'age', 'paln'];
  const property = fc
    .tuple(fc.constantFrom('properties', 'user', 'Event'), fc.constantFrom(...names), fc.constantFrom('"', "'"))
    .map(([scope, name, quote]) => `${scope}[${quote}${name}${quote}]`);
  const literals = [
    ['"pro"', "'free'", '"it\'s"', '"a\\"b"', '""'],
    ['5', '-1', '1.50'],
    ['true', 'FALSE'],
  ];
  const literal = fc.constantFrom(...literals.flat());
  // In a list of several types, the checker does not warn of an item of a type that the property does not have.
  const items = fc
    .constantFrom(...literals)
    .chain((kind) => fc.array(fc.constantFrom(...kind), { minLength: 1, maxLength: 3 }));
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      property,
      literal,
      fc.tuple(property, fc.constantFrom(' == ', '!=', ' <', '<= ', ' > ', '>='), literal).map((part) => part.join('')),
      fc.tuple(property, items).map(([left, list]) => `${left} in [${list.join(', ')}]`),
      fc
        .tuple(tie('tree'), fc.constantFrom('and', 'or', '+', '==', '*', 'in'), tie('tree'))
        .map((part) => part.join(' ')),
      tie('tree').map((inner) => `(${inner})`),
      tie('tree').map((inner) => `not ${inner}`),
      tie('tree').map((inner) => `number(${inner})`),
    ),
  }));
  const texts = fc.sample(tree, { numRuns: runs(3_000), seed: Number(process.env.ONWHERE_SEED) });
  const refused = checkTypes(texts).flatMap((message, index) =>
    message === undefined ? [] : [texts[index] as string],
  );
  expect(refused.length).toBeGreaterThan(texts.length / 10);
  const accepted = refused.filter((text) => {
    const { ok, diagnostics } = check(text, { schema: SCHEMA, use: 'where' });
    return ok && diagnostics.length === 0;
  });
  expect(accepted).toEqual([]);
});

it('compiles with the functions of the package', () => {
  expect(filtersFor<{ plan: string }>().compileWhere).toBe(compileWhere);
});

it('takes types and schemas from Zod and Valibot', () => {
  const inZod = z.object({ plan: z.enum(['free', 'pro']), amount: z.number().nullish() });
  const inValibot = v.object({ plan: v.picklist(['free', 'pro']), amount: v.nullish(v.number()) });
  const schema = {
    properties: { plan: { types: ['string'], values: ['free', 'pro'] }, amount: { types: ['number', 'null'] } },
  };
  expect(readSchema(z.toJSONSchema(inZod))).toEqual(schema);
  expect(readSchema(toJsonSchema(inValibot))).toEqual(schema);
  const program = (types: string, record: string) => `
    import { filtersFor } from 'onwhere/typed';
    ${types}
    const { compileWhere } = filtersFor<${record}>();
    compileWhere('properties["plan"] == "pro" or properties["amount"] > 5');
    compileWhere('properties["plan"] == "Pro"');
  `;
  const mistakes = [
    ...typeCheck(
      program(
        `import { z } from 'zod';
        const Purchase = z.object({ plan: z.enum(['free', 'pro']), amount: z.number().nullish() });`,
        'z.infer<typeof Purchase>',
      ),
    ),
    ...typeCheck(
      program(
        `import * as v from 'valibot';
        const Purchase = v.object({ plan: v.picklist(['free', 'pro']), amount: v.nullish(v.number()) });`,
        'v.InferOutput<typeof Purchase>',
      ),
    ),
  ];
  expect(mistakes.map(({ text }) => text)).toEqual([
    expect.stringContaining('is never \\"Pro\\"'),
    expect.stringContaining('is never \\"Pro\\"'),
  ]);
});
