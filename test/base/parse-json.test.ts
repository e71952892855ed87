import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJson, parseMarked } from '../../src/base/parse-json.ts';

/** Names that V8 can mistake for each other, and some that objects treat differently. */
const names = fc.constantFrom(
  '\\',
  '\n',
  '"',
  'é',
  '\0',
  'a',
  'a\\',
  'aé',
  '',
  '=',
  '0',
  '=0',
  '7',
  '__proto__',
  '\ud800',
  'b: "',
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(1, true, null, 'é', '\\', '":', '\\":', '{"a\\n":1}'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }).map((members) => new Map(members)),
  ),
}));

/** Writes JSON with a choice of layout and escapes. Maps are objects. */
function write(json: unknown, escapes: boolean, space: string): string {
  const writeString = (text: string) => {
    const written = JSON.stringify(text);
    if (!escapes) return written;
    return written.replace(/[a\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  };
  if (typeof json === 'string') return writeString(json);
  if (Array.isArray(json)) return `[${json.map((one) => write(one, escapes, space)).join(`,${space}`)}]`;
  if (!(json instanceof Map)) return JSON.stringify(json);
  const members = [...json].map(([name, own]) => `${writeString(name)}${space}:${space}${write(own, escapes, space)}`);
  return `{${space}${members.join(',')}}`;
}

/** Returns the value that is written, with maps as objects. */
function build(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(build);
  return json instanceof Map ? Object.fromEntries([...json].map(([name, own]) => [name, build(own)])) : json;
}

it('names are read as they are written, whatever the engine makes of their escapes', () => {
  const layout = fc.record({ escapes: fc.boolean(), space: fc.constantFrom('', ' ', '\n', '\t') });
  fc.assert(
    fc.property(value, layout, (json, { escapes, space }) => {
      const text = write(json, escapes, space);
      const expected = build(json);
      for (const parse of [parseJson, parseMarked]) {
        const found = parse(text);
        expect(found).toStrictEqual(expected);
        expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
      }
    }),
    { numRuns: 300 },
  );
});

it('the last of several members with a name counts, at the place of the first', () => {
  expect(JSON.stringify(parseMarked('{"\\u0061":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
});

it('JSON is parsed however deep it is, and errors are those of the text', () => {
  const deep = `${'{"\\u0061":['.repeat(20_000)}${']}'.repeat(20_000)}`;
  expect(Object.keys(parseMarked(deep) as object)).toEqual(['a']);
  expect(() => parseMarked('{"\\u0061":1,}')).toThrow(/position 12|double-quoted/);
});
