import { type CheckResult, check as checkExpression } from '../../api.ts';
import type { Use } from '../../check/check.ts';
import { positionAt } from '../../language/source.ts';
import { showTypes } from '../../language/types.ts';
import { propertyText } from '../../util/quote-text.ts';
import { EXIT } from '../exit.ts';
import { loadSchema } from '../load-schema.ts';
import { Output } from '../output.ts';
import { readSource } from '../read-source.ts';
import { rendered } from '../terminal.ts';

export interface CheckOptions {
  readonly use: Use;
  readonly schema?: string;
  readonly json?: boolean;
}

/** Prints what is wrong with an expression, and what cannot have been meant; answers the exit code. */
export async function check(expression: string, { use, schema, json }: CheckOptions): Promise<number> {
  const source = await readSource(expression);
  const result = checkExpression(source, { use, ...(schema !== undefined && { schema: await loadSchema(schema) }) });
  await Output.print([json ? JSON.stringify(withPositions(source, result)) : describe(source, result)]);
  return result.ok ? EXIT.ok : EXIT.expression;
}

function describe(source: string, { ok, types, properties, diagnostics }: CheckResult): string {
  const parts = diagnostics.length > 0 ? [rendered(process.stdout, source, diagnostics)] : [];
  if (ok) {
    const read = properties.map(({ scope, name }) => propertyText(scope, name)).join(', ');
    parts.push(`ok: ${showTypes(types)}${read === '' ? '' : `; reads ${read}`}`);
  }
  return parts.join('\n\n');
}

/** Lines and columns beside the offsets, for tools that show places to people. */
function withPositions(source: string, result: CheckResult): object {
  const diagnostics = result.diagnostics.map((diagnostic) => ({
    ...diagnostic,
    ...positionAt(source, diagnostic.span.start),
  }));
  return { ...result, diagnostics };
}
