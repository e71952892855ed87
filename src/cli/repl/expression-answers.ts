import { explain, trace } from '../../api/explain.ts';
import { check, compile, format } from '../../api/expressions.ts';
import { findRelations } from '../../api/relate.ts';
import { escapeUnprintable, truncate } from '../../base/strings.ts';
import type { Use } from '../../lang/check/check.ts';
import { ExpressionCheckError } from '../../lang/errors.ts';
import { findUndefinedCause, why } from '../../lang/explain/why.ts';
import { showTypes } from '../../lang/types.ts';
import { showValue } from '../../lang/value.ts';
import { renderTrace } from '../answers/explanation.ts';
import { getUnixTime } from '../io.ts';
import { colourExpression, colourValue } from '../terminal/colour-expression.ts';
import { renderTree } from './render.ts';
import type { ReplState } from './state.ts';

/** Shows the value of an expression on the current event, and its possible types. */
export function answerValue(state: ReplState, source: string): string {
  const { io, sample, schema, timeZone } = state;
  const compiled = compile(source, { schema, timeZone, now: getUnixTime(io) });
  const { properties = {}, user } = sample.current ?? {};
  const value = compiled(properties, user);
  const shown = colourValue(io.out, escapeUnprintable(showValue(value)));
  const now = getUnixTime(io);
  const cause =
    value === undefined ? findUndefinedCause(trace(source, properties, user, { schema, timeZone, now })) : undefined;
  if (cause !== undefined) return withWarnings(state, source, 'value', `${shown}: ${escapeUnprintable(cause)}`);
  return withWarnings(state, source, 'value', `${shown} ${io.out.styled('dim', `: ${showTypes(compiled.types)}`)}`);
}

/** Shows the possible types of an expression. */
export function answerType(state: ReplState, source: string): string {
  const { schema, timeZone } = state;
  const { ok, types, diagnostics } = check(source, { schema, timeZone });
  if (!ok) throw new ExpressionCheckError(source, diagnostics);
  return withWarnings(state, source, 'value', showTypes(types));
}

/** Shows the syntax tree of an expression. */
export function answerTree({ io }: ReplState, source: string): string {
  return Array.from(renderTree(explain(source).tree), (line) => truncate(line, io.out.room)).join('\n');
}

/** Shows the value of each part of an expression on the current event, except literals, and which parts decide. */
export function answerExplain({ io, sample, schema, timeZone }: ReplState, source: string): string {
  const { properties = {}, user } = sample.current ?? {};
  const traced = trace(source, properties, user, { schema, timeZone, now: getUnixTime(io) });
  return renderTrace(io.out, traced, why(traced)).join('\n');
}

/** Formats an expression. */
export function answerFormat({ io }: ReplState, source: string): string {
  return colourExpression(io.out, format(source));
}

/** Prefixes an answer with the warnings of its expression. */
export function withWarnings({ io, schema, timeZone }: ReplState, source: string, use: Use, answer: string): string {
  const { diagnostics } = check(source, { use, schema, timeZone, relations: findRelations });
  return diagnostics.length === 0 ? answer : `${io.out.rendered(source, diagnostics)}\n${answer}`;
}
