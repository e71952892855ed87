import { explain, trace } from '../../api/explain.ts';
import { type Compiled, check, compile, format } from '../../api/expressions.ts';
import { ExpressionCheckError } from '../../lang/errors.ts';
import { why } from '../../lang/explain/why.ts';
import { showTypes } from '../../lang/types.ts';
import { escapeUnprintable, truncate } from '../../lang/util/strings.ts';
import { showValue } from '../../lang/value.ts';
import { renderTrace } from '../answers/explanation.ts';
import { getUnixTime, type Io } from '../io.ts';
import { renderTree } from './render.ts';
import type { ReplState } from './state.ts';

/** The value of an expression on the current event, and the types that it can have. */
export function answerValue({ io, sample, schema }: ReplState, source: string): string {
  const compiled = compile(source, { schema, now: getUnixTime(io) });
  const { properties = {}, user } = sample.current ?? {};
  const value = escapeUnprintable(showValue(compiled(properties, user)));
  return withWarnings(io, compiled, `${value} ${io.out.styled('dim', `: ${showTypes(compiled.types)}`)}`);
}

/** The types that an expression can have. */
export function answerType({ io, schema }: ReplState, source: string): string {
  const { ok, types, diagnostics } = check(source, { schema });
  if (!ok) throw new ExpressionCheckError(source, diagnostics);
  return withWarnings(io, { source, diagnostics }, showTypes(types));
}

/** The syntax tree of an expression. */
export function answerTree({ io }: ReplState, source: string): string {
  return Array.from(renderTree(explain(source).tree), (line) => truncate(line, io.out.room)).join('\n');
}

/** What every part of an expression is on the current event, but for what is written there, and which parts decide the whole. */
export function answerExplain({ io, sample, schema }: ReplState, source: string): string {
  const { properties = {}, user } = sample.current ?? {};
  const traced = trace(source, properties, user, { schema, now: getUnixTime(io) });
  return renderTrace(io.out, traced, why(traced), io.out.room).join('\n');
}

/** The canonical form of an expression. */
export function answerFormat(_state: ReplState, source: string): string {
  return format(source);
}

/** An answer below what cannot have been meant in the question. */
export function withWarnings(
  { out }: Io,
  { source, diagnostics }: Pick<Compiled<unknown>, 'source' | 'diagnostics'>,
  answer: string,
): string {
  return diagnostics.length === 0 ? answer : `${out.rendered(source, diagnostics)}\n${answer}`;
}
