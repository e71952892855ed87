import { CHILD_KEYS, type Expression } from './ast.ts';

/** The expressions directly below a node, in source order. */
export function getChildren(node: Expression): readonly Expression[] {
  const values = node as unknown as Readonly<Record<string, Expression | readonly Expression[]>>;
  return CHILD_KEYS[node.kind].flatMap((key) => values[key] ?? []);
}

/** Every node from the root down, each before its children, in source order. */
export function* walk(root: Expression): Generator<Expression> {
  const pending = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    for (const child of getChildren(node).toReversed()) pending.push(child);
  }
}
