import fc, { type Arbitrary } from 'fast-check';
import { expect, it } from 'vitest';
import { evaluatePartially, explain } from '../src/api/explain.ts';
import { check, compile, compileWhere, format } from '../src/api/expressions.ts';
import { FilterSet } from '../src/api/filter-set.ts';
import { fromForm, toForm } from '../src/api/forms.ts';
import { fromSql } from '../src/api/from-sql.ts';
import { canonical, relate, simplify } from '../src/api/relate.ts';
import { repair } from '../src/api/repair.ts';
import { duckdb } from '../src/api/sql.ts';
import { toSql } from '../src/api/to-sql.ts';
import { translate } from '../src/api/translate.ts';
import { ExpressionError } from '../src/lang/errors.ts';
import { countSteps } from '../src/lang/steps.ts';
import { parse } from '../src/lang/syntax/parse.ts';
import { runs } from './runs.ts';

const TABLE = { table: 'events', properties: {} } as const;

/** The public functions that take a source, and how many steps they may take for each character. */
const FUNCTIONS = {
  parse: [(source) => parse(source), 60],
  check: [(source) => check(source, { use: 'where' }), 60],
  compile: [(source) => compile(source), 60],
  compileWhere: [(source) => compileWhere(source), 60],
  explain: [(source) => explain(source), 60],
  evaluatePartially: [(source) => evaluatePartially(source, { properties: { a: 1 } }), 60],
  format: [(source) => format(source), 60],
  forms: [(source) => fromForm(toForm(source)), 60],
  toSql: [(source) => toSql(source, duckdb, TABLE), 60],
  filterSet: [(source) => new FilterSet().add('a', source), 60],
  relate: [(source) => relate(source, source, { steps: 1_000 }), 120],
  simplify: [(source) => simplify(source, { steps: 1_000 }), 1_200],
  canonical: [(source) => canonical(source), 240],
  fromSql: [(source) => fromSql(source), 100],
  translate: [(source) => translate(source), 100],
  repair: [(source) => repair(source), 1_200],
  repairTranslated: [(source) => repair(source, { translate }), 1_200],
} as const satisfies Record<string, readonly [(source: string) => unknown, number]>;

/** The steps that do not depend on the length. A translation has more, and JavaScript is also read as CEL. */
const [BASE, TRANSLATION_BASE] = [60_000, 250_000];

const WORDS = [
  ...['a', 'b1', '1', '010', '"a"', "'a'", 'properties["a"]', 'user["a"]', 'true', 'null', 'now', 'plan', '$1', '@x'],
  ...[' ? ', ' : ', ' ?? ', ' && ', ' || ', '!', ' == ', ' === ', ' = ', ' <> ', ' < ', ' + ', ' - ', ' % ', '.', '?.'],
  ...['(', ')', '[', ']', '{', '}', ',', ':', ';', '/*', '*/', '--', '//', '"', "'", '\\', '“', '\n', ' '],
  ...[' and ', ' or ', 'not ', ' in ', ' not in ', ' is null', ' is not ', ' between ', ' like ', ' contains '],
  ...['CASE ', ' WHEN ', ' THEN ', ' ELSE ', ' END', 'COALESCE(', 'NULLIF(', 'IF(', 'AND(', '->>', '::text'],
  ...['floor(', 'datetime(', '.includes(', '{"if":[', '{"and":[', '{"!":', '{"var":"a"}', '{"$or":[', '{"a":', '[@a]'],
];
const piece = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((words) => words.join('')),
  fc.constantFrom(
    ...['a ? b : ', 'a ?? ', 'a && ', 'a = 1 OR ', 'WHEN a = 1 THEN b = 2 ', '{"var":"a"},1,', '"a" ', 'a.', 'a + '],
    ...[
      'properties["a"] = 1 and ',
      'x not in (1) and ',
      'x == 1 if y == 1 else ',
      'x == null and ',
      'case when x == 1 then ',
    ],
  ),
);

/** Sources in which each `!` could look at all tokens that follow. */
const EXAMPLES: [string][] = [[`a && ${'!'.repeat(4_000)}`], [`a && ${'!('.repeat(4_000)}`]];

/** Repeats one part, with parts around all, or nests it. */
const source: Arbitrary<string> = fc
  .tuple(fc.constantFrom(500, 2_000), piece, fc.option(piece), piece, piece)
  .map(([length, repeated, closing, before, after]) => {
    const count = Math.ceil(length / (repeated.length + (closing?.length ?? 0)));
    return `${before}${repeated.repeat(count)}${after}${closing?.repeat(count) ?? ''}`.slice(0, 2 * length);
  });

it.each(Object.entries(FUNCTIONS))(
  '%s takes no more steps than the length of its source allows',
  (name, [run, steps]) => {
    const base = ['fromSql', 'translate', 'repairTranslated'].includes(name) ? TRANSLATION_BASE : BASE;
    fc.assert(
      fc.property(source, (text) => {
        const { steps: taken } = countSteps(() => {
          try {
            run(text);
          } catch (error) {
            expect(error, text.slice(0, 100)).toBeInstanceOf(ExpressionError);
          }
        });
        expect(taken, text.slice(0, 100)).toBeLessThanOrEqual(base + steps * text.length);
      }),
      { numRuns: runs(400, 100), examples: EXAMPLES },
    );
  },
);
