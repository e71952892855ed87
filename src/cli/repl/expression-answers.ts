import { type Compiled, check, compile, format } from '../../api.ts';
import { why } from '../../explain/why.ts';
import { explain, trace } from '../../explain-api.ts';
import { ExpressionCheckError } from '../../language/errors.ts';
import { showValue } from '../../language/show-value.ts';
import { showTypes } from '../../language/types.ts';
import { cut } from '../../util/cut.ts';
import { printable } from '../../util/printable.ts';
import { traceLines } from '../explain-lines.ts';
import { rendered, roomOn, styled } from '../terminal.ts';
import type { State } from './state.ts';
import { treeLines } from './tree-lines.ts';

/** The value of an expression on the current event, and the types that it can have. */
export function answerValue({ sample, schema }: State, source: string): string {
  const compiled = compile(source, { schema });
  const { properties = {}, user } = sample.current ?? {};
  const value = printable(showValue(compiled(properties, user)));
  return withWarnings(compiled, `${value} ${styled(process.stdout, 'dim', `: ${showTypes(compiled.types)}`)}`);
}

/** The types that an expression can have. */
export function answerType({ schema }: State, source: string): string {
  const { ok, types, diagnostics } = check(source, { schema });
  if (!ok) throw new ExpressionCheckError(source, diagnostics);
  return withWarnings({ source, diagnostics }, showTypes(types));
}

/** The syntax tree of an expression. */
export function answerTree(_state: State, source: string): string {
  return Array.from(treeLines(explain(source).tree), (line) => cut(line, roomOn(process.stdout))).join('\n');
}

/** What every part of an expression is on the current event, but for what is written there, and which parts decide the whole. */
export function answerExplain({ sample, schema }: State, source: string): string {
  const { properties = {}, user } = sample.current ?? {};
  const traced = trace(source, properties, user, { schema });
  return traceLines(traced, why(traced), roomOn(process.stdout)).join('\n');
}

/** The canonical form of an expression. */
export function answerFormat(_state: State, source: string): string {
  return format(source);
}

/** An answer below what cannot have been meant in the question. */
export function withWarnings(
  { source, diagnostics }: Pick<Compiled<unknown>, 'source' | 'diagnostics'>,
  answer: string,
): string {
  return diagnostics.length === 0 ? answer : `${rendered(process.stdout, source, diagnostics)}\n${answer}`;
}
