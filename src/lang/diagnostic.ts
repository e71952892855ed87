import { CATALOGUE, type Severity, type Wording } from './diagnostic-wording.ts';
import type { Span } from './source.ts';

export type { Severity } from './diagnostic-wording.ts';

/** An edit that certainly corrects the mistake: replace the span with the text. */
export interface Fix {
  readonly span: Span;
  readonly text: string;
}

/** An error or a warning about an expression: plain data that can be sent as JSON. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  /** How to correct it. */
  readonly help?: string;
  readonly span: Span;
  readonly fix?: Fix;
}

type WordedCode = keyof typeof CATALOGUE;

/** The codes that `lang/relate` finds. Their words are there, so that programs without relations do not load them. */
export type RelationCode = 'always-true' | 'never-true' | 'redundant-condition' | 'unreachable-condition';

export type DiagnosticCode = WordedCode | RelationCode;

type DetailsOf<Code extends WordedCode> = Parameters<(typeof CATALOGUE)[Code]['message']>[0];

/** The details that the message of a code quotes, if any, and an optional fix. */
type Rest<Code extends WordedCode> = [DetailsOf<Code>] extends [undefined]
  ? [details?: undefined, fix?: Fix | undefined]
  : [details: DetailsOf<Code>, fix?: Fix | undefined];

/** In UTF-16 units. The source shows what a message shortens. */
const MAX_QUOTED = 200;

/** Shortens the strings in the details to {@link MAX_QUOTED}, without splitting a surrogate pair. */
function clipStrings<Details>(details: Details): Details {
  if (details === undefined) return details;
  return Object.fromEntries(Object.entries(details as object).map(([name, value]) => [name, clip(value)])) as Details;
}

function clip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clip);
  if (typeof value !== 'string' || value.length <= MAX_QUOTED) return value;
  return `${value.slice(0, MAX_QUOTED).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Creates the diagnostic of a code, with the message and the advice of the catalogue. */
export function diagnose<Code extends WordedCode>(code: Code, span: Span, ...[found, fix]: Rest<Code>): Diagnostic {
  const wording = CATALOGUE[code] as Wording<DetailsOf<Code> | undefined>;
  const details = clipStrings(found);
  const help = wording.help?.(details);
  return {
    code,
    severity: wording.severity,
    message: wording.message(details),
    ...(help !== undefined && { help }),
    span,
    ...(fix !== undefined && { fix }),
  };
}

/** Compares two diagnostics by their start; at the same start, errors come before warnings. */
export function compareByPosition(left: Diagnostic, right: Diagnostic): number {
  return (
    left.span.start - right.span.start ||
    Number(left.severity === 'warning') - Number(right.severity === 'warning') ||
    left.span.end - right.span.end
  );
}
