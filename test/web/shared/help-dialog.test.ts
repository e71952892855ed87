import { expect, it } from 'vitest';
import { check, format } from '../../../src/api/expressions.ts';
import { EXAMPLES } from '../../../src/web/shared/help-dialog.tsx';

it.each(EXAMPLES)('has a valid example in canonical style: %s', (source) => {
  expect(check(source, { use: 'where' }).diagnostics).toEqual([]);
  expect(format(source)).toBe(source);
});
