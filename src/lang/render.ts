import { arrayOf, assertFunction, assertNumber, assertParts, assertString, oneOf } from '../base/guard.ts';
import { escapeUnprintable, measureWidth } from '../base/strings.ts';
import type { Diagnostic } from './diagnostic.ts';
import { assertSpan, LineIndex } from './source.ts';

/** The parts of a rendered diagnostic that can have a colour. */
export type RenderPart = 'error' | 'warning' | 'frame' | 'help';

/** Adds colour to a part of a rendered diagnostic, for example with the escape sequences of a terminal. */
export type Paint = (part: RenderPart, text: string) => string;

/** The most columns of a source line to show, so that one long line does not fill the screen. */
const WINDOW = 100;
const MIN_WINDOW = 8;

/**
 * Renders diagnostics as text: severity, message and code, the line of source with carets under the span, and the help.
 *
 *     error: `=` is not an operator. [single-equals]
 *       1 | properties["plan"] = "pro"
 *         |                    ^
 *       help: Write `==`.
 *
 * If a line is longer than `columns`, only the part around the span is shown.
 *
 * @throws {TypeError} if an argument has the wrong type.
 */
export function renderDiagnostics(
  source: string,
  diagnostics: readonly Diagnostic[],
  paint: Paint = (_, text) => text,
  columns = WINDOW,
): string {
  assertString(source, 'source');
  arrayOf(assertDiagnostic)(diagnostics, 'diagnostics');
  assertFunction(paint, 'paint');
  assertNumber(columns, 'columns');
  const lines = new LineIndex(source);
  const window = Math.max(MIN_WINDOW, Math.min(WINDOW, columns));
  return diagnostics.map((diagnostic) => renderDiagnostic(lines, diagnostic, paint, window)).join('\n\n');
}

function assertDiagnostic(diagnostic: unknown, name: string): void {
  assertParts(diagnostic, name, {
    severity: oneOf(['error', 'warning']),
    message: assertString,
    code: assertString,
    span: assertSpan,
  });
}

function renderDiagnostic(
  source: LineIndex,
  { severity, message, code, span, help }: Diagnostic,
  paint: Paint,
  window: number,
): string {
  const { line, column } = source.positionAt(span.start);
  const text = source.getLine(line);
  const from = Math.max(0, Math.min(column - 1 - Math.floor(window / 2), text.length - window));
  const shown = `${from > 0 ? '…' : ''}${text.slice(from, from + window)}${from + window < text.length ? '…' : ''}`;
  const before = (from > 0 ? '…' : '') + text.slice(from, column - 1);
  const marked = text.slice(column - 1, Math.min(column - 1 + span.end - span.start, from + window));
  const gutter = String(line);
  const blank = ' '.repeat(gutter.length);
  const lines = [
    `${paint(severity, `${severity}:`)} ${escapeUnprintable(message)} [${code}]`,
    `  ${paint('frame', `${gutter} |`)} ${escapeUnprintable(shown)}`,
    `  ${paint('frame', `${blank} |`)} ${' '.repeat(measureWidth(escapeUnprintable(before)))}${paint(severity, '^'.repeat(Math.max(1, measureWidth(escapeUnprintable(marked)))))}`,
  ];
  if (help !== undefined) lines.push(`  ${paint('help', 'help:')} ${escapeUnprintable(help)}`);
  return lines.join('\n');
}
