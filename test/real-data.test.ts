import { describe, expect, it } from 'vitest';
import { check, compile, compileOn, compileWhere, parse, repair } from '../src/api/index.ts';
import { translate } from '../src/api/translate.ts';
import type { Properties, Scalar } from '../src/lang/value.ts';
import { HAS_REAL_DATA, realLines } from './real-data.ts';

/** A result on which two other tools agreed. */
interface Expected {
  readonly dataset: string;
  readonly kind: 'where' | 'on';
  /** The event name that is counted; null for all. */
  readonly event: string | null;
  readonly expr: string;
  readonly where?: string;
  /** Matching rows, or the top segments with their rows. */
  readonly expected: number | readonly (readonly [Scalar, number])[];
  readonly expected_unique: number | readonly (readonly [Scalar, number])[];
  readonly segments?: number;
  readonly of: number;
  readonly undefined: number;
  readonly null?: number;
}

interface Row {
  readonly event: string | undefined;
  readonly user: unknown;
  readonly properties: Properties;
}

type Line = { event?: string; properties?: Properties; $properties?: Properties; $distinct_id?: string };

const loaded = new Map<string, Row[]>();

function rowsOf(dataset: string): Row[] {
  const known = loaded.get(dataset);
  if (known !== undefined) return known;
  const rows = realLines<Line>(`${dataset}.ndjson.gz`).map(({ event, properties, $properties, $distinct_id }) => ({
    event,
    user: $distinct_id ?? properties?.distinct_id,
    properties: properties ?? $properties ?? {},
  }));
  loaded.set(dataset, rows);
  return rows;
}

function usersOf(rows: readonly Row[]): number {
  return new Set(rows.map(({ user }) => user)).size;
}

function append(segments: Map<string, Row[]>, name: string, row: Row): void {
  const rows = segments.get(name);
  if (rows === undefined) segments.set(name, [row]);
  else rows.push(row);
}

const expectedResults = realLines<Expected>('expected.ndjson');
const real = realLines<{ expr: string; use: string; parses: boolean }>('real-expressions.ndjson');
const more = realLines<{ expr: string; parses: boolean }>('real-expressions-2.ndjson');

describe.skipIf(!HAS_REAL_DATA)('results that other tools agree on', () => {
  it.each(expectedResults.filter(({ kind }) => kind === 'where'))(
    'include the events of $dataset where $expr',
    (expected) => {
      const [where, value] = [compileWhere(expected.expr), compile(expected.expr)];
      const rows = rowsOf(expected.dataset).filter(({ event }) => expected.event === null || event === expected.event);
      const selected = rows.filter(({ properties }) => where(properties));
      expect({
        of: rows.length,
        expected: selected.length,
        expected_unique: usersOf(selected),
        undefined: rows.filter(({ properties }) => value(properties) === undefined).length,
      }).toEqual({
        of: expected.of,
        expected: expected.expected,
        expected_unique: expected.expected_unique,
        undefined: expected.undefined,
      });
    },
  );

  it.each(expectedResults.filter(({ kind }) => kind === 'on'))(
    'include the segments of $dataset on $expr',
    (expected) => {
      const [on, value] = [compileOn(expected.expr), compile(expected.expr)];
      const where = compileWhere(expected.where ?? 'true');
      const rows = rowsOf(expected.dataset).filter(
        ({ event, properties }) => (expected.event === null || event === expected.event) && where(properties),
      );
      const segments = new Map<string, Row[]>();
      const without = { undefined: 0, null: 0 };
      for (const row of rows) {
        const found = value(row.properties);
        if (found === undefined) without.undefined++;
        else if (found === null) without.null++;
        else for (const name of on(row.properties)) append(segments, name, row);
      }
      const top = [...segments].toSorted(([, left], [, right]) => right.length - left.length).slice(0, 5);
      const named = (pairs: unknown) => (pairs as [Scalar, number][]).map(([name, count]) => [String(name), count]);
      expect({
        of: rows.length,
        segments: segments.size,
        expected: top.map(([name, found]) => [name, found.length]),
        expected_unique: top.map(([name, found]) => [name, usersOf(found)]),
        ...without,
      }).toEqual({
        of: expected.of,
        segments: expected.segments,
        expected: named(expected.expected),
        expected_unique: named(expected.expected_unique),
        undefined: expected.undefined,
        null: expected.null,
      });
    },
  );

  it('are 50 in total', () => {
    expect(expectedResults).toHaveLength(50);
  });
});

describe.skipIf(!HAS_REAL_DATA)('expressions that people wrote', () => {
  it.each([...real, ...more].filter(({ parses }) => parses))('parse: $expr', ({ expr }) => {
    expect(() => parse(expr)).not.toThrow();
    expect(check(expr).ok).toBe(true);
  });

  it.each(real.filter(({ parses }) => !parses))('fail to parse with help or a fix: $expr', ({ expr }) => {
    const { ok, diagnostics } = check(expr);
    expect(ok).toBe(false);
    expect(diagnostics.filter(({ help, fix }) => help === undefined && fix === undefined)).toEqual([]);
  });

  it.each(more.filter(({ parses }) => !parses))('are repaired or translated, or say why not: $expr', ({ expr }) => {
    expect(check(expr).ok).toBe(false);
    const { diagnostics, translation } = repair(expr, { use: 'where', translate });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) expect(translation).toMatchObject({ language: 'Mixpanel', reason: expect.any(String) });
  });

  it('include valid and invalid ones', () => {
    for (const found of [real, more])
      expect(new Set(found.map(({ parses }) => parses))).toEqual(new Set([true, false]));
  });
});
