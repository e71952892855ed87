import { explain as explainExpression, trace } from '../../api/explain.ts';
import { check } from '../../api/expressions.ts';
import { findRelations } from '../../api/relate.ts';
import type { Use } from '../../lang/check/check.ts';
import { why } from '../../lang/explain/why.ts';
import { toJsonDiagnostics } from '../answers/diagnostics-json.ts';
import { renderExplanation, renderTrace } from '../answers/explanation.ts';
import { EXIT } from '../exit.ts';
import type { Io } from '../io.ts';
import { printWarning } from '../messages.ts';
import { loadSchema, type RecordOptions, readRecord, readSource } from '../options.ts';

export interface ExplainOptions extends RecordOptions {
  readonly use: Use;
  readonly schema?: string;
  /** Unix seconds. */
  readonly now: number;
  /** The time zone of dates without one. Default: UTC. */
  readonly timeZone?: string;
  readonly json?: boolean;
}

/**
 * Prints each part of an expression with its type or, on a record, with its value and the reasons for the result.
 *
 * @returns The exit code.
 */
export async function runExplain(io: Io, expression: string, options: ExplainOptions): Promise<number> {
  const { use, schema, now, timeZone = 'UTC', json, ...record } = options;
  const source = await readSource(io, expression);
  const known = { use, timeZone, ...(schema !== undefined && { schema: await loadSchema(schema) }) };
  const { diagnostics } = check(source, { ...known, relations: findRelations });
  const explanation = { ...explainExpression(source, known), diagnostics };
  const { properties, user } = readRecord(record);
  const explained = { ...explanation, diagnostics: toJsonDiagnostics(source, explanation.diagnostics) };
  if (!json) printWarning(io, { source, diagnostics: explanation.diagnostics });
  let fails = explanation.diagnostics.some(({ severity }) => severity === 'error');
  if (properties === undefined && user === undefined) {
    await io.out.print(json ? [JSON.stringify(explained)] : renderExplanation(io.out, explanation));
  } else {
    const tree = trace(source, properties ?? {}, user, { ...known, now });
    fails ||= tree.error !== undefined;
    const reasons = why(tree);
    await io.out.print(
      json ? [JSON.stringify({ ...explained, tree, why: reasons })] : renderTrace(io.out, tree, reasons),
    );
  }
  return fails ? EXIT.expression : EXIT.ok;
}
