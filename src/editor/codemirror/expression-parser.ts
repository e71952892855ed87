import {
  type Input,
  NodeProp,
  NodeSet,
  NodeType,
  Parser,
  type PartialParse,
  Tree,
  type TreeFragment,
} from '@lezer/common';
import { HIGHLIGHTS } from '../../lang/syntax/vocabulary.ts';
import { highlight } from '../highlight.ts';

/** For each opening bracket, the closing one and the node around both. */
const PAIRS: Readonly<Record<string, { readonly close: string; readonly around: string }>> = {
  '(': { close: ')', around: 'Parentheses' },
  '[': { close: ']', around: 'Brackets' },
};

const TOP = 'Expression';
const NAMES: readonly string[] = [
  TOP,
  ...HIGHLIGHTS,
  ...Object.entries(PAIRS).flatMap(([open, { close, around }]) => [open, close, around]),
];
const IDS = new Map(NAMES.map((name, id) => [name, id]));

/** Node types: one per highlight kind, except that each bracket has its own; and one around each pair of brackets. */
export const NODES = new NodeSet(NAMES.map((name, id) => NodeType.define({ id, name, top: name === TOP }))).extend(
  NodeProp.closedBy.add(Object.fromEntries(Object.entries(PAIRS).map(([open, { close }]) => [open, [close]]))),
  NodeProp.openedBy.add(Object.fromEntries(Object.entries(PAIRS).map(([open, { close }]) => [close, [open]]))),
);

/** Numbers per node in a Lezer buffer: type, start, end, and the size of the node with its children. */
const NODE_SIZE = 4;

/**
 * A Lezer parser that turns the result of `highlight` into a tree, with nodes around matching brackets. It parses the
 * whole source each time: that is faster than finding the parts of the previous tree that are still valid.
 */
export class ExpressionParser extends Parser {
  constructor(private readonly nodes: NodeSet) {
    super();
  }

  createParse(
    input: Input,
    _fragments: readonly TreeFragment[],
    ranges: readonly { readonly from: number; readonly to: number }[],
  ): PartialParse {
    const [from, to] = [ranges[0]?.from ?? 0, ranges.at(-1)?.to ?? 0];
    return {
      parsedPos: from,
      stoppedAt: null,
      stopAt() {},
      advance: () => this.buildTree(input.read(from, to)),
    };
  }

  private buildTree(source: string): Tree {
    const buffer: number[] = [];
    const open: { readonly bracket: string; readonly start: number; readonly at: number }[] = [];
    const add = (name: string, start: number, end: number, at: number) =>
      buffer.push(IDS.get(name) ?? 0, start, end, buffer.length - at + NODE_SIZE);

    for (const { kind, span } of highlight(source)) {
      const at = buffer.length;
      const name = kind === 'bracket' ? source.slice(span.start, span.end) : kind;
      add(name, span.start, span.end, at);
      if (name in PAIRS) open.push({ bracket: name, start: span.start, at });
      const last = open.at(-1);
      const pair = last && PAIRS[last.bracket];
      if (last !== undefined && pair?.close === name) {
        open.pop();
        add(pair.around, last.start, span.end, last.at);
      }
    }
    return Tree.build({ buffer, nodeSet: this.nodes, topID: 0, length: source.length });
  }
}
