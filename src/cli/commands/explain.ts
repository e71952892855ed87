import type { Use } from '../../check/check.ts';
import { why } from '../../explain/why.ts';
import { explain as explainExpression, trace } from '../../explain-api.ts';
import { EXIT } from '../exit.ts';
import { explanationLines, traceLines } from '../explain-lines.ts';
import type { Io } from '../io.ts';
import { loadSchema } from '../load-schema.ts';
import { type RecordOptions, readRecord } from '../read-record.ts';
import { readSource } from '../read-source.ts';
import { warn } from '../say.ts';

export interface ExplainOptions extends RecordOptions {
  readonly use: Use;
  readonly schema?: string;
  /** Unix seconds. */
  readonly now: number;
  readonly json?: boolean;
}

/** Prints the parts of an expression with their types or, of a record, with their values and why; answers the exit code. */
export async function explain(io: Io, expression: string, options: ExplainOptions): Promise<number> {
  const { use, schema, now, json, ...record } = options;
  const source = await readSource(io, expression);
  const known = { use, ...(schema !== undefined && { schema: await loadSchema(schema) }) };
  const explanation = explainExpression(source, known);
  const { properties, user } = readRecord(record);
  if (!json) warn(io, { source, diagnostics: explanation.diagnostics });
  let fails = explanation.diagnostics.some(({ severity }) => severity === 'error');
  if (properties === undefined && user === undefined) {
    await io.out.print(json ? [JSON.stringify(explanation)] : explanationLines(explanation));
  } else {
    const tree = trace(source, properties ?? {}, user, { ...known, now });
    fails ||= tree.error !== undefined;
    const reasons = why(tree);
    await io.out.print(
      json ? [JSON.stringify({ ...explanation, tree, why: reasons })] : traceLines(io.out, tree, reasons),
    );
  }
  return fails ? EXIT.expression : EXIT.ok;
}
