import { expect, it, vi } from 'vitest';
import { complete } from '../../src/editor/complete.ts';
import type { Schema } from '../../src/lang/check/schema.ts';

it('complete scans a long word once, however many values there are', () => {
  const values = Array.from({ length: 1000 }, (_, index) => `value ${index}`);
  const schema: Schema = { properties: { plan: { types: ['string'], values } } };
  const source = `properties["plan"] == "${'value '.repeat(10_000)}`;
  const countLongCalls = (method: 'toLowerCase' | 'startsWith') => {
    const calls = vi.spyOn(String.prototype, method);
    try {
      complete(source, source.length, schema);
      return calls.mock.contexts.concat(calls.mock.calls.flat()).filter((text) => String(text).length > 1000).length;
    } finally {
      calls.mockRestore();
    }
  };
  expect(countLongCalls('toLowerCase')).toBeLessThan(10);
  expect(countLongCalls('startsWith')).toBeLessThan(10);
});
