import { type CheckResult, check as checkExpression } from '../../api/expressions.ts';
import type { Use } from '../../lang/check/check.ts';
import { diagnosticPage } from '../../lang/diagnostic-page.ts';
import { positionAt } from '../../lang/source.ts';
import { showTypes } from '../../lang/types.ts';
import { formatProperty } from '../../lang/util/strings.ts';
import { EXIT } from '../exit.ts';
import type { Io } from '../io.ts';
import { loadSchema, readSource } from '../options.ts';
import type { OutputStream } from '../terminal/output-stream.ts';

export interface CheckCommandOptions {
  readonly use: Use;
  readonly schema?: string;
  readonly json?: boolean;
}

/** Prints the errors and warnings of an expression and returns the exit code. */
export async function runCheck(
  io: Io,
  expression: string,
  { use, schema, json }: CheckCommandOptions,
): Promise<number> {
  const source = await readSource(io, expression);
  const result = checkExpression(source, { use, ...(schema !== undefined && { schema: await loadSchema(schema) }) });
  await io.out.print([json ? JSON.stringify(describeDiagnostics(source, result)) : describe(io.out, source, result)]);
  return result.ok ? EXIT.ok : EXIT.expression;
}

function describe(out: OutputStream, source: string, { ok, types, properties, diagnostics }: CheckResult): string {
  const parts = diagnostics.length > 0 ? [out.rendered(source, diagnostics)] : [];
  if (ok) {
    const read = properties.map(({ scope, name }) => formatProperty(scope, name)).join(', ');
    parts.push(`ok: ${showTypes(types)}${read === '' ? '' : `; reads ${read}`}`);
  }
  return parts.join('\n\n');
}

/** Adds to each diagnostic its line and column and the page that explains its code. */
function describeDiagnostics(source: string, result: CheckResult): object {
  const diagnostics = result.diagnostics.map((diagnostic) => ({
    ...diagnostic,
    ...positionAt(source, diagnostic.span.start),
    page: diagnosticPage(diagnostic.code),
  }));
  return { ...result, diagnostics };
}
