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

/** The bracket that closes each opening one, and the node around both. */
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

/** A node for each kind of highlight, but a bracket is named as it is written; and one around each pair of brackets. */
export const NODES = new NodeSet(NAMES.map((name, id) => NodeType.define({ id, name, top: name === TOP }))).extend(
  NodeProp.closedBy.add(Object.fromEntries(Object.entries(PAIRS).map(([open, { close }]) => [open, [close]]))),
  NodeProp.openedBy.add(Object.fromEntries(Object.entries(PAIRS).map(([open, { close }]) => [close, [open]]))),
);

/** What Lezer takes for a node in a buffer: its type, where it starts and ends, and its size with all that is inside. */
const NODE_SIZE = 4;

/**
 * Takes a text apart as `highlight` does, in brackets as far as they match. The whole of it, each time: that takes less time than
 * finding out how much of the tree before still holds.
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
      advance: () => this.treeOf(input.read(from, to)),
    };
  }

  private treeOf(source: string): Tree {
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
