import { CHILD_KEYS, type Expression, getChildren } from '../../src/lang/ast.ts';
import { binary, literal, logical } from '../arbitraries.ts';
import type { Input } from '../engines.ts';
import type { Case } from '../value-first.ts';

/** Reduces a failing case step by step, as long as it still fails. */
export async function shrink(failing: Case, fails: (smaller: Case) => Promise<boolean>): Promise<Case> {
  for (const smaller of smallerCases(failing)) {
    if (await fails(smaller)) return shrink(smaller, fails);
  }
  return failing;
}

function* smallerCases({ tree, records }: Case): Generator<Case> {
  if (records.length > 1) {
    for (const record of records) yield { tree, records: [record] };
    for (const [index] of records.entries()) yield { tree, records: records.toSpliced(index, 1) };
  }
  for (const smaller of smallerTrees(tree)) yield { tree: smaller, records };
  for (const [index, record] of records.entries()) {
    for (const smaller of smallerRecords(record)) yield { tree, records: records.with(index, smaller) };
  }
}

/** Yields the parts of a tree, and the tree with one part made smaller. */
function* smallerTrees(tree: Expression): Generator<Expression> {
  yield* getChildren(tree);
  if (tree.kind === 'literal') {
    for (const value of smallerValues(tree.value)) yield literal(value as string);
    return;
  }
  for (const value of [true, 1, 'a']) yield literal(value);
  if (tree.kind === 'membership') {
    for (const [index] of tree.items.entries()) yield { ...tree, items: tree.items.toSpliced(index, 1) };
  }
  if (tree.kind === 'logical' && tree.operands.length > 2) {
    for (const [index] of tree.operands.entries()) yield logical(tree.operator, tree.operands.toSpliced(index, 1));
  }
  const parts = tree as unknown as Readonly<Record<string, Expression | readonly Expression[]>>;
  for (const key of CHILD_KEYS[tree.kind]) {
    const part = parts[key] as Expression | readonly Expression[];
    if ('kind' in part) {
      for (const smaller of smallerTrees(part)) yield normalize({ ...tree, [key]: smaller } as Expression);
      continue;
    }
    for (const [index, child] of part.entries()) {
      for (const smaller of smallerTrees(child)) {
        // A list can contain only literals.
        if (tree.kind !== 'membership' || smaller.kind === 'literal') {
          yield normalize({ ...tree, [key]: part.with(index, smaller) } as Expression);
        }
      }
    }
  }
}

/** Returns the node that the parser creates for these operands. They may change its kind. */
function normalize(node: Expression): Expression {
  if (node.kind === 'logical') return logical(node.operator, node.operands);
  return node.kind === 'binary' || node.kind === 'timeComparison' ? binary(node.operator, node.left, node.right) : node;
}

function* smallerRecords(record: Input): Generator<Input> {
  if (record.user !== undefined) yield { ...record, user: undefined };
  if (record.now !== 0) yield { ...record, now: 0 };
  for (const scope of ['properties', 'user'] as const) {
    const entries = Object.entries(record[scope] ?? {});
    for (const [index, [name, value]] of entries.entries()) {
      yield { ...record, [scope]: Object.fromEntries(entries.toSpliced(index, 1)) };
      for (const smaller of smallerValues(value)) {
        yield { ...record, [scope]: Object.fromEntries(entries.with(index, [name, smaller])) };
      }
    }
  }
}

/** Yields values that are shorter or closer to zero, so that shrinking ends. */
function* smallerValues(value: unknown): Generator<unknown> {
  if (typeof value === 'string' && value !== '') {
    yield '';
    yield value.slice(0, value.length / 2);
    yield value.slice(1);
    yield value.slice(0, -1);
  }
  if (typeof value === 'number' && value > 0) {
    for (const smaller of [0, 1, Math.trunc(value), Math.trunc(value / 2)]) if (smaller < value) yield smaller;
  }
  if (Array.isArray(value)) {
    yield* value;
    for (const [index] of value.entries()) yield value.toSpliced(index, 1);
  }
}
