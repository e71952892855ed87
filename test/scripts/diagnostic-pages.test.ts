import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DIAGNOSTIC_CODES, EXAMPLES } from '../../scripts/diagnostics/examples.ts';
import { check } from '../../src/api/expressions.ts';
import { diagnosticPage } from '../../src/lang/diagnostic-page.ts';

describe.each(Object.entries(EXAMPLES))('the page of %s', (code, { bad, good, options }) => {
  it('shows a wrong expression that has only this diagnostic', () => {
    expect(check(bad, options).diagnostics.map((found) => found.code)).toEqual([code]);
  });

  it('shows a right expression without diagnostics', () => {
    expect(check(good, options).diagnostics).toEqual([]);
  });
});

it.each(DIAGNOSTIC_CODES)('%s has the page that its diagnostics link to', (code) => {
  expect(existsSync(new URL(`../../${diagnosticPage(code)}`, import.meta.url))).toBe(true);
});
