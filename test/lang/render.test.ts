import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/api/expressions.ts';
import type { Diagnostic } from '../../src/lang/diagnostic.ts';
import { type RenderPart, renderDiagnostics } from '../../src/lang/render.ts';
import { runs } from '../runs.ts';

function render(source: string): string {
  return renderDiagnostics(source, check(source).diagnostics);
}

const span = (start: number, end: number) =>
  ({ code: 'comment', severity: 'error', message: 'Here.', span: { start, end } }) as const;

/** Returns the lines of source and of carets of a rendered diagnostic, without the gutter. */
function frame(source: string, diagnostic: Diagnostic): { gutter: string; shown: string; carets: string } {
  const [, shown = '', carets = ''] = renderDiagnostics(source, [diagnostic]).split('\n');
  const at = shown.indexOf('| ') + 2;
  expect(carets.indexOf('| ') + 2).toBe(at);
  return { gutter: shown.slice(0, at), shown: shown.slice(at), carets: carets.slice(at) };
}

describe('a rendered diagnostic', () => {
  it('has the message, the line of source, carets and the help', () => {
    expect(render('properties["plan"] = "pro"')).toBe(
      [
        'error: `=` is not an operator. [single-equals]',
        '  1 | properties["plan"] = "pro"',
        '    |                    ^',
        '  help: Write `==`.',
      ].join('\n'),
    );
  });

  it('has no help line without help', () => {
    expect(render('1 in [1 2]')).toBe(
      ['error: A comma is missing before `2`. [missing-comma]', '  1 | 1 in [1 2]', '    |         ^'].join('\n'),
    );
  });

  it('is separated from the next by an empty line', () => {
    expect(render('5 and "a"').split('\n\n')).toHaveLength(2);
  });

  it('is painted part by part', () => {
    const parts: RenderPart[] = [];
    const painted = renderDiagnostics('1 = 2', check('1 = 2').diagnostics, (part, text) => {
      parts.push(part);
      return `<${text}>`;
    });
    expect(parts.toSorted()).toEqual(['error', 'error', 'frame', 'frame', 'help']);
    expect(painted).toContain('<error:>');
    expect(painted).toContain('<^>');
    expect(painted.replace(/[<>]/g, '')).toBe(render('1 = 2'));
  });
});

describe('carets', () => {
  it.each([
    { where: 'under the span', source: 'abc def', at: [4, 7], carets: '    ^^^' },
    { where: 'at an empty span', source: 'abc', at: [1, 1], carets: ' ^' },
    { where: 'after the end', source: 'abc', at: [3, 3], carets: '   ^' },
    { where: 'at the start of an empty source', source: '', at: [0, 0], carets: '^' },
    { where: 'up to the end of the first line of a longer span', source: 'abc\ndef', at: [1, 6], carets: ' ^^' },
    { where: 'after a tab, which is shown as a space', source: '\ta\tb', at: [3, 4], carets: '   ^' },
    { where: 'after wide characters', source: '日本語 x', at: [4, 5], carets: '       ^' },
    { where: 'under wide characters', source: 'x 日本 y', at: [2, 4], carets: '  ^^^^' },
    { where: 'after an emoji', source: '\u{1f600} x', at: [3, 4], carets: '   ^' },
    { where: 'after combining marks', source: 'e\u0301 x', at: [3, 4], carets: '  ^' },
    { where: 'under full-width forms', source: '＝＝', at: [0, 1], carets: '^^' },
    { where: 'after a control character', source: '\u0007 x', at: [2, 3], carets: '  ^' },
  ])('are $where', ({ source, at: [start = 0, end = 0], carets }) => {
    expect(frame(source, span(start, end)).carets).toBe(carets);
  });

  it.each(['\n', '\r\n', '\r'])('are below the right line after %j', (lineBreak) => {
    const source = ['first', 'second', 'third'].join(lineBreak);
    const start = source.indexOf('cond');
    expect(frame(source, span(start, start + 4))).toEqual({ gutter: '  2 | ', shown: 'second', carets: '  ^^^^' });
  });

  it('are aligned below long line numbers', () => {
    const source = `${'\n'.repeat(999)}abc`;
    expect(frame(source, span(1000, 1001))).toEqual({ gutter: '  1000 | ', shown: 'abc', carets: ' ^' });
  });
});

describe('a long line', () => {
  const words = Array.from({ length: 2_000 }, (_, index) => `w${index}`);
  const source = words.join(' ');

  it.each([0, 3, 30, 1_000, 1_995, 1_999])('is cut around word %i, with carets under it', (index) => {
    const word = words[index] ?? '';
    const start = words.slice(0, index).join(' ').length + (index > 0 ? 1 : 0);
    const { shown, carets } = frame(source, span(start, start + word.length));
    expect(shown.length).toBeLessThan(120);
    expect(shown.slice(carets.indexOf('^'), carets.length)).toBe(word);
    expect(shown.startsWith('…')).toBe(index > 20);
    expect(shown.endsWith('…')).toBe(index < 1_900);
  });

  it('has carets only under the part that is shown', () => {
    const { shown, carets } = frame(source, span(10, source.length));
    expect(carets.length).toBeLessThanOrEqual(shown.length);
    expect(carets.trimStart().length).toBeGreaterThan(20);
  });
});

const UNSAFE = [
  ...['\u0000', '\u0007', '\b', '\u001b[31m', '\u001b]0;title\u0007', '\u007f', '\u0085', '\u009b31m', '\f', '\v'],
  ...[
    '\u061c',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
  ],
  ...['\ud800', '\udfff'],
];

/** Characters that control a terminal, and lone surrogates. */
const CONTROLS = /[^\P{Cc}\n]|\p{Bidi_Control}|\p{Cs}/u;

describe('rendering', () => {
  it.each(
    UNSAFE.map((text) => [
      JSON.stringify(text).replace(/[^\x20-\x7e]/g, (c) => `U+${c.charCodeAt(0).toString(16)}`),
      text,
    ]),
  )('replaces %s', (_, text) => {
    const places = [
      text,
      `1 = "${text}"`,
      `"${text}" "${text}"`,
      `properties["${text}"]["${text}"]`,
      `properties["a" "${text}"]`,
      `"\\${text}" == 1`,
      `“${text}”`,
      `1 in ["a" "${text}", now]`,
      `x${text}y == 1`,
      `properties.x${text}`,
      `// ${text}`,
      `1${text}`,
      `"a" == 5 + "${text}"`,
      `"${text}`,
    ];
    for (const source of places) expect(render(source), JSON.stringify(source)).not.toMatch(CONTROLS);
  });

  it('replaces control characters in names of a schema', () => {
    for (const text of UNSAFE) {
      const source = `properties["pla${text}"] == 1`;
      const schema = { properties: { [`plan${text}`]: { types: ['string'] } } } as const;
      expect(renderDiagnostics(source, check(source, { schema }).diagnostics)).not.toMatch(CONTROLS);
    }
  });

  it('replaces control characters in random sources', () => {
    const pieces = fc.constantFrom(
      ...UNSAFE,
      '"',
      "'",
      '\\',
      'properties[',
      ']',
      ' ',
      '(',
      '=',
      '5',
      'x',
      'in [',
      ',',
      '"a"',
      'floor',
      '“',
      '”',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        expect(render(parts.join(''))).not.toMatch(CONTROLS);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
