import { describe, expect, it } from 'vitest';
import { check } from '../../src/api/expressions.ts';
import { selectSettled } from '../../src/editor/calm.ts';

const schema = { properties: { plan: { types: ['string'] }, amount: { types: ['number'] } } } as const;

/** Returns the messages that each prefix of a text shows as it is typed, with brackets and quotes closed by the editor. */
function typeOut(text: string, closed: (typed: string) => string): string[] {
  return Array.from(text, (_, index) => {
    const typed = text.slice(0, index + 1);
    const source = closed(typed);
    const { diagnostics } = check(source, { use: 'where', schema });
    return selectSettled(source, diagnostics, typed.length)
      .map(({ code }) => code)
      .join();
  });
}

/** Closes open quotes and brackets after the cursor, as the editor does. */
function close(typed: string): string {
  let open = '';
  for (const character of typed) {
    if (character === '"') open = open.startsWith('"') ? open.slice(1) : `"${open}`;
    else if (character === '[' && !open.startsWith('"')) open = `]${open}`;
    else if (character === ']' && open.startsWith(']')) open = open.slice(1);
  }
  return typed + open;
}

describe('messages while typing', () => {
  it.each([
    'properties["plan"] == "pro"',
    'properties["plan"] == "pro" and properties["amount"] > 100',
    'not properties["plan"] in ["pro", "team"]',
    'number(properties["amount"]) / 2 >= 10',
  ])('of an ordinary filter pass through at most three states: %s', (text) => {
    for (const closed of [close, (typed: string) => typed]) {
      const states = typeOut(text, closed).filter((state, index, all) => index === 0 || state !== all[index - 1]);
      expect(states.length, states.join(' → ')).toBeLessThanOrEqual(3);
      expect(states.at(-1)).toBe('');
    }
  });

  it('show a mistake once the cursor has left it', () => {
    const source = 'properties["plan"] = "pro"';
    const { diagnostics } = check(source, { use: 'where', schema });
    expect(selectSettled(source, diagnostics, 20)).toEqual([]);
    expect(selectSettled(source, diagnostics, source.length)).toEqual(diagnostics);
    const unknown = 'properties["paln"] == "pro"';
    const warnings = check(unknown, { use: 'where', schema }).diagnostics;
    expect(selectSettled(unknown, warnings, 13)).toEqual([]);
    expect(selectSettled(unknown, warnings, unknown.length)).toEqual(warnings);
  });
});
