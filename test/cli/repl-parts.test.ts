import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeUnprintable, measureWidth } from '../../src/base/strings.ts';
import { colourInput } from '../../src/cli/repl/colour-input.ts';
import { COMMANDS } from '../../src/cli/repl/commands.ts';
import { completeInput } from '../../src/cli/repl/complete-input.ts';
import { History, toLine } from '../../src/cli/repl/history.ts';
import { getHistoryPath } from '../../src/cli/repl/history-file.ts';
import { layOutInput } from '../../src/cli/repl/lay-out.ts';
import { renderChoices } from '../../src/cli/repl/render.ts';
import { sources } from '../arbitraries.ts';
import { codePoint } from '../code-point.ts';
import { PIPE } from './test-io.ts';

const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('a', '語', '\u0301', '😀', '\n', '\ud83d'), maxLength: 60 }),
);

describe('layOutInput', () => {
  it('shows the escaped input in full rows, except before a wide character', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 30 }), (text, columns) => {
        const { rows } = layOutInput([{ text }], text.length, columns);
        expect(rows.join('')).toBe(escapeUnprintable(text));
        for (const [index, row] of rows.entries()) {
          expect(measureWidth(row)).toBeLessThanOrEqual(columns);
          if (index < rows.length - 1) expect(measureWidth(row)).toBeGreaterThanOrEqual(columns - 1);
        }
      }),
    );
  });

  it('places the cursor after the characters before it', () => {
    fc.assert(
      fc.property(anyText, fc.nat(60), fc.integer({ min: 2, max: 30 }), (text, at, columns) => {
        const characters = Array.from(text);
        const before = characters.slice(0, at).join('');
        const { cursor, rows } = layOutInput([{ text }], before.length, columns);
        const shown = rows.slice(0, cursor.row).join('');
        expect(escapeUnprintable(before).startsWith(shown)).toBe(true);
        expect(cursor.column).toBe(measureWidth(escapeUnprintable(before).slice(shown.length)));
      }),
    );
  });

  it('paints a piece on each of its rows', () => {
    const { rows } = layOutInput([{ text: 'ab' }, { text: 'cdef', paint: (text) => `<${text}>` }], 0, 4);
    expect(rows).toEqual(['ab<cd>', '<ef>']);
  });
});

describe('colourInput', () => {
  it('keeps every character', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          sources.map(({ source }) => source),
        ),
        fc.nat(80),
        fc.nat(80),
        (input, from, cursor) => {
          for (const text of [input, `.where ${input}`, `.x ${input}`]) {
            const pieces = colourInput(PIPE, text, Math.min(from, text.length), cursor);
            expect(pieces.map((piece) => piece.text).join('')).toBe(text.slice(from));
          }
        },
      ),
    );
  });
});

describe('History', () => {
  const enter = (...entries: string[]) => {
    const kept: string[] = [];
    const history = new History(['old'], (entry) => kept.push(entry));
    for (const entry of entries) history.add(entry);
    history.rewind();
    return { history, kept };
  };

  it('skips repeated entries and entries with a leading space', () => {
    expect(enter('old', 'a', 'a', 'b', 'a', ' secret', '', '1 +\n  2').kept).toEqual(['a', 'b', 'a', '1 + 2']);
  });

  it('moves back and forth and restores the draft', () => {
    const { history } = enter('a', 'b');
    expect(['', 'b', 'a', 'old'].map((line) => history.previous(line))).toEqual(['b', 'a', 'old', undefined]);
    expect(['old', 'a', 'b', ''].map((line) => history.next(line))).toEqual(['a', 'b', '', undefined]);
  });

  it('finds entries by their prefix', () => {
    const { history } = enter('.on x', 'b', '.on y', 'c');
    expect(history.previous('.on')).toBe('.on y');
    expect(history.previous('.on y')).toBe('.on x');
    expect(history.previous('.on x')).toBeUndefined();
    expect(history.next('.on x')).toBe('.on y');
    expect(history.next('.on y')).toBe('.on');
  });

  it('joins several lines into one', () => {
    expect(toLine('\n a\r\n\t and b \n')).toBe('a and b');
    fc.assert(fc.property(anyText, (text) => !/[\r\n\u2028\u2029]/.test(toLine(text))));
  });

  it.each([
    [{ XDG_STATE_HOME: '/state' }, 'linux', join('/state', 'onwhere', 'history')],
    [{ XDG_STATE_HOME: 'relative' }, 'linux', join('/home', '.local', 'state', 'onwhere', 'history')],
    [{}, 'darwin', join('/home', '.local', 'state', 'onwhere', 'history')],
    [{ LOCALAPPDATA: '/local' }, 'win32', join('/local', 'onwhere', 'history')],
    [{}, 'win32', join('/home', 'AppData', 'Local', 'onwhere', 'history')],
  ] as const)('is kept, with %j on %s, in %s', (environment, platform, path) => {
    expect(getHistoryPath(environment, platform, '/home')).toBe(path);
  });
});

describe('completeInput', () => {
  const inserts = (input: string, offset = input.length) =>
    completeInput(input, offset, {}).items.map(({ insert }) => insert);

  it('completes every command', () => {
    expect(completeInput('.', 1, {}).items.map(({ label }) => label)).toEqual(COMMANDS.map(({ name }) => name));
    expect(inserts('.wh')).toEqual(['.where ']);
    expect(inserts('.ex')).toEqual(['.explain ', '.exit']);
    expect(inserts('  .exi')).toEqual(['.exit']);
    expect(inserts('.help .n')).toEqual(['.next']);
    expect(inserts('.nothing pr')).toEqual([]);
    expect(inserts('.next pr')).toEqual([]);
  });

  it('completes expressions after a command', () => {
    fc.assert(
      fc.property(sources, fc.nat(40), ({ source }, at) => {
        const expression = source.trim();
        const offset = Math.min(at, expression.length);
        const alone = completeInput(expression, offset, {});
        const behind = completeInput(`.where ${expression}`, offset + 7, {});
        expect(behind.items).toEqual(alone.items);
        expect(behind.span).toEqual({ start: alone.span.start + 7, end: alone.span.end + 7 });
      }),
    );
  });

  it('completes files, hidden ones after a dot', () => {
    const folder = mkdtempSync(join(tmpdir(), 'onwhere-complete-'));
    try {
      for (const name of ['a.csv', 'ab.ndjson', '.hidden']) writeFileSync(join(folder, name), '');
      mkdirSync(join(folder, 'a folder'));
      const load = (path: string) =>
        inserts(`.load ${folder}/${path}`).map((insert) => insert.slice(folder.length + 1));
      expect(load('')).toEqual(['a folder/', 'a.csv', 'ab.ndjson']);
      expect(load('ab')).toEqual(['ab.ndjson']);
      expect(load('.')).toEqual(['.hidden']);
      expect(load('no/such')).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('listing', () => {
  it('fits its columns and counts omitted choices', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 300 }),
        fc.integer({ min: 3, max: 80 }),
        (labels, columns) => {
          const rows = renderChoices(labels, columns);
          expect(rows.length).toBeLessThanOrEqual(9);
          const [, rest] = /^… and (\d+) more$/.exec(rows.at(-1) ?? '') ?? [];
          const shown = rest === undefined ? rows : rows.slice(0, -1);
          for (const row of shown) expect(measureWidth(row)).toBeLessThanOrEqual(columns);
        },
      ),
    );
    expect(renderChoices(['a', 'bb', 'ccc'], 12)).toEqual(['a    bb', 'ccc']);
    expect(renderChoices(Array.from({ length: 20 }, String), 1)).toHaveLength(9);
    expect(renderChoices(Array.from({ length: 20 }, String), 1).at(-1)).toBe('… and 12 more');
  });
});
