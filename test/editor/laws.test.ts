import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../src/api/expressions.ts';
import { formatProperty } from '../../src/base/strings.ts';
import { complete } from '../../src/editor/complete.ts';
import type { Completion } from '../../src/editor/completion.ts';
import { highlight } from '../../src/editor/highlight.ts';
import { hover } from '../../src/editor/hover.ts';
import type { Scope } from '../../src/lang/ast.ts';
import { walk } from '../../src/lang/ast.ts';
import type { Schema } from '../../src/lang/check/schema.ts';
import type { Span } from '../../src/lang/source.ts';
import { parse, tryParse } from '../../src/lang/syntax/parse.ts';
import { showValue } from '../../src/lang/value.ts';
import { sources } from '../arbitraries.ts';
import { codePoint } from '../code-point.ts';
import { runs } from '../runs.ts';

/** A schema with some of the names that random expressions read. */
const schema: Schema = {
  properties: {
    amount: { types: ['number'], values: [0, 1.5, 1e21] },
    plan: { types: ['string', 'null'], values: ['pro', 'say "hi"', 'a\nb', '\u{1f600}'] },
    tags: { types: ['list'], values: ['a', 1, true] },
    'back\\slash\n': { types: ['string'] },
  },
  user: { ['__proto__']: { types: ['boolean'], values: [true] }, "it's": { types: ['string'] } },
};

/** Accepts a completion, and fills in an operand at the cursor. */
function accept(source: string, { start, end }: Span, { insert, cursor, kind }: Completion): string {
  const filled =
    kind === 'function' && cursor !== undefined ? `${insert.slice(0, cursor)}1${insert.slice(cursor)}` : insert;
  return source.slice(0, start) + filled + source.slice(end);
}

const positions = fc.tuple(sources, fc.nat()).map(([{ source }, at]) => ({ source, offset: at % (source.length + 1) }));

describe('completion', () => {
  it('inserts valid tokens', () => {
    fc.assert(
      fc.property(positions, fc.boolean(), ({ source, offset }, isPrefix) => {
        const text = isPrefix ? source.slice(0, offset) : source;
        for (const { insert } of complete(text, offset, schema).items) {
          expect(highlight(insert).filter(({ kind }) => kind === 'invalid')).toEqual([]);
        }
      }),
    );
  });

  it('keeps the expression valid where an operand is replaced or missing', () => {
    fc.assert(
      fc.property(sources, fc.nat(), fc.nat(), fc.boolean(), ({ source }, choice, within, isEmptied) => {
        const nodes = [...walk(parse(source))].filter(({ kind }) => ['literal', 'now', 'property'].includes(kind));
        const { start, end } = (nodes[choice % Math.max(1, nodes.length)] ?? { span: { start: 0, end: 0 } }).span;
        // A completion replaces one line; a property with a line break inside its brackets would need two.
        if (end === 0 || /[\r\n]/.test(source.slice(start, end))) return;
        const text = isEmptied ? `${source.slice(0, start)}  ${source.slice(end)}` : source;
        const { span, items } = complete(text, isEmptied ? start + 1 : start + 1 + (within % (end - start)), schema);
        for (const item of items) {
          if (item.kind === 'operator') continue;
          const after = accept(text, span, item);
          expect([after, tryParse(after).diagnostics], JSON.stringify([text, start, item])).toEqual([after, undefined]);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('offers a known value in a comparison, however much of it is typed', () => {
    const texts = fc.string({ unit: codePoint }).filter((text) => !text.includes('|'));
    const numbers = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
    const shapes = fc.constantFrom<((property: string) => string)[]>(
      (property) => `${property} == |`,
      (property) => `| != ${property}`,
      (property) => `${property} in [1, |]`,
      (property) => `${property} in [|, "x", -1]`,
      (property) => `| in ${property}`,
      (property) => `1 < 2 and not (${property}!=|) or true`,
    );
    const scopes = fc.constantFrom<Scope[]>('properties', 'event', 'user');
    fc.assert(
      fc.property(
        ...[shapes, scopes, texts, fc.oneof(texts, numbers, fc.boolean()), fc.nat()],
        (shape, scope, name, value, typed) => {
          const known = { [name]: { types: [], values: ['other', value] } };
          const written = showValue(value);
          // An unfinished string would extend to the next quote.
          const begun = typeof value === 'string' ? '' : written.slice(0, typed % (written.length + 1));
          const [before = '', after = ''] = shape(formatProperty(scope, name)).split('|');
          const place = before.length + begun.length;
          const { items } = complete(before + begun + after, place, {
            [scope === 'user' ? 'user' : 'properties']: known,
          });
          const values = items.filter(({ kind }) => kind === 'value').map(({ insert }) => evaluate(insert, {}));
          expect(values).toContain(value);
        },
      ),
    );
  });
});

describe('hover', () => {
  it('returns the smallest expression around the offset', () => {
    fc.assert(
      fc.property(positions, ({ source, offset }) => {
        const found = hover(source, offset, schema);
        const around = [...walk(parse(source))].filter(({ span }) => span.start <= offset && offset < span.end);
        const lengths = around.map(({ span }) => span.end - span.start);
        expect(found && found.span.end - found.span.start).toBe(lengths.length > 0 ? Math.min(...lengths) : undefined);
      }),
    );
  });
});
