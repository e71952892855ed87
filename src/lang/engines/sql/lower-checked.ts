import { type Checked, checkTree, type Use } from '../../check/check.ts';
import { ExpressionUnsupportedError } from '../../errors.ts';
import type { Dialect } from './dialect.ts';
import { findUnsupported } from './find-unsupported.ts';
import { getSourceTypes } from './get-source-types.ts';
import type { SqlSource } from './sql-source.ts';
import { type SqlStatement, toStatement } from './to-statement.ts';

/** A checked expression and its use. */
export interface CheckedUse {
  readonly checked: Checked;
  readonly use: Use;
}

/** Checks an expression again with the types that its properties have in the source. */
export function checkAgainstSource({ source: text, tree, properties, timeZone }: Checked, use: Use, source: SqlSource) {
  return { checked: checkTree(text, tree, use, { schema: getSourceTypes(source, properties), timeZone }), use };
}

/**
 * Lowers checked expressions to SQL for one statement over a source.
 *
 * @throws {ExpressionUnsupportedError} if the database cannot compute the exact result of one, or the source does not
 *   hold a property.
 */
export function lowerChecked<Name extends string>(
  expressions: Readonly<Record<Name, CheckedUse>>,
  dialect: Dialect,
  source: SqlSource,
  now: number,
  parametersBefore?: number,
): SqlStatement<Name> {
  const known = Object.entries<CheckedUse>(expressions).map(([name, { checked, use }]) => {
    const diagnostics = findUnsupported(checked.tree, dialect, source);
    if (diagnostics.length > 0) throw new ExpressionUnsupportedError(checked.source, diagnostics);
    return [name, checkAgainstSource(checked, use, source)] as const;
  });
  return toStatement(Object.fromEntries(known) as never, dialect, source, now, parametersBefore);
}
