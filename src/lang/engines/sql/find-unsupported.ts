import type { Expression, Property } from '../../ast.ts';
import { walk } from '../../ast.ts';
import { type Diagnostic, diagnose } from '../../diagnostic.ts';
import type { Dialect } from './dialect.ts';
import { type ColumnFlaw, findColumnFlaw } from './find-column-flaw.ts';
import { getPropertyColumns } from './lower-columns.ts';
import type { PropertySource, SqlSource } from './sql-source.ts';

/** Finds the parts of an expression that a database cannot compute exactly, or whose properties the source lacks. */
export function findUnsupported(tree: Expression, dialect: Dialect, source: SqlSource): Diagnostic[] {
  const flaw = findColumnFlaw(dialect, source);
  return [...walk(tree)].flatMap((node) => {
    const reason =
      explainUnreadable(node, source, flaw) ?? dialect.explainUnsupported?.(node, hasColumns(node, source));
    return reason === undefined ? [] : [diagnose('unsupported', node.span, { engine: dialect.name, reason })];
  });
}

function findPlace({ scope }: Property, source: SqlSource): PropertySource | undefined {
  return scope === 'user' ? source.user : source.properties;
}

function hasColumns(node: Expression, source: SqlSource): boolean {
  return node.kind === 'property' && getPropertyColumns(findPlace(node, source), node.name) !== undefined;
}

function explainUnreadable(node: Expression, source: SqlSource, flaw: ColumnFlaw): string | undefined {
  if (node.kind !== 'property') return undefined;
  const place = findPlace(node, source);
  if (place === undefined) return 'the table does not have the properties of users';
  const isElsewhere = place.rest?.kind === 'elsewhere' && getPropertyColumns(place, node.name) === undefined;
  return isElsewhere ? 'the table does not have this property' : flaw(place, node.name);
}
