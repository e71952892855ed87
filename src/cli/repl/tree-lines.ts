import type { Explained } from '../../explain/explain-tree.ts';

const INDENT = '  ';

/** A syntax tree, a node a line: operators over their operands, which stand a step further in. */
export function* renderTree({ operator, code, children }: Explained, margin = ''): Generator<string> {
  yield margin + (operator ?? code);
  for (const child of children) yield* renderTree(child, margin + INDENT);
}
