import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutSql } from '../../src/cli/lay-out-sql.ts';

/** Quoted with everything that could be taken for code, with quotes as the database escapes them. */
const quoted = (escapeQuote: (quote: string) => string) =>
  fc
    .tuple(
      fc.constantFrom("'", '"', '`'),
      fc.array(fc.constantFrom('a', '\n', '  ', ', ', '(', ' END ', ' AND ', ' FROM ', 'quote')),
    )
    .map(([quote, parts]) => `${quote}${parts.join('').replaceAll('quote', escapeQuote(quote))}${quote}`);

const expressionsWith = (escapeQuote: (quote: string) => string) => {
  const { expression } = fc.letrec<{ expression: string; items: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(quoted(escapeQuote), fc.constantFrom('TRUE', '$1::DOUBLE', '{p1:String}', '"properties"')),
      fc
        .tuple(tie('expression'), fc.constantFrom('AND', 'OR', '>', '||'), tie('expression'))
        .map((all) => all.join(' ')),
      fc.tuple(tie('expression'), tie('expression')).map(([low, high]) => `"x" BETWEEN ${low} AND ${high}`),
      fc.tuple(tie('expression'), tie('expression')).map(([when, then]) => `CASE WHEN ${when} THEN ${then} END`),
      fc.tuple(fc.constantFrom('', 'coalesce'), tie('items')).map(([name, items]) => `${name}(${items})`),
      fc.tuple(tie('expression'), tie('items')).map(([selected, items]) => `(SELECT ${selected} FROM (${items}))`),
      tie('items').map((items) => `[${items}]`),
    ),
    items: fc.array(tie('expression'), { maxLength: 4 }).map((items) => items.join(', ')),
  }));
  return expression.map((text) => `SELECT * FROM "events" WHERE ${text}`);
};

/** Removes white space outside quotes. */
function squeeze(sql: string, quotes: RegExp): string {
  const found = sql.match(quotes) ?? [];
  return sql
    .split(quotes)
    .map((code, index) => code.replace(/\s/g, '') + (found[index] ?? ''))
    .join('');
}

describe.each([
  ['doubles', false, (quote: string) => quote + quote, /'[^']*'|"[^"]*"|`[^`]*`/],
  ['escapes', true, (quote: string) => `\\${quote}`, /'(?:\\.|[^'])*'|"(?:\\.|[^"])*"|`(?:\\.|[^`])*`/],
] as const)('layOutSql of a dialect that %s quotes', (_, hasEscapes, escapeQuote, quotes) => {
  const expressions = expressionsWith(escapeQuote);

  it('changes nothing but the white space outside quotes', () => {
    fc.assert(
      fc.property(expressions, (sql) => {
        expect(squeeze(layOutSql(sql, hasEscapes), quotes)).toBe(squeeze(sql, quotes));
      }),
    );
  });

  it('changes nothing if it is laid out again', () => {
    fc.assert(
      fc.property(expressions, (sql) => {
        const once = layOutSql(sql, hasEscapes);
        expect(layOutSql(once, hasEscapes)).toBe(once);
      }),
    );
  });
});

it('breaks what does not fit, and keeps the limits of BETWEEN together', () => {
  const long = 'x'.repeat(60);
  const [clauses, operands] = ['SELECT a, b\nFROM t\nWHERE ', [`${long} BETWEEN 1 AND 2`, `${long}\n  AND c`]];
  expect(layOutSql(`${clauses}${operands.join(' AND ')}`, false)).toBe(`${clauses}${operands.join('\n  AND ')}`);
});
