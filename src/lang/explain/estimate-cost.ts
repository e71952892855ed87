import { type Expression, isDatetimeCall, walk } from '../ast.ts';
import type { Checked } from '../check/check.ts';
import type { NodeFacts } from '../check/node-facts.ts';
import { findOverloads } from '../operators/overloads.ts';
import type { StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, PREFIX } from '../operators/table.ts';
import { LIST, STRING } from '../types.ts';
import { unreachable } from '../util/unreachable.ts';

/** The most that one evaluation does. The language has no loops, so that the text of an expression bounds it. */
export interface Cost {
  /** Properties that are read: one for each place that names one. A list is copied as it is read. */
  readonly reads: number;
  /**
   * Steps of evaluation: one for each operator and function; for `and` and `or` one for each operand; for `in` with a written list one
   * for each item; and one for each side that a comparison of times reads through `datetime`.
   */
  readonly operations: number;
  /**
   * The operations among them that may go through a string or a list that the expression does not bound, and take time
   * by its length: `in` a value that is not constant; `==`, `!=`, `<` and their like where both sides can be strings,
   * or both lists, and neither is constant; `+` of strings that are not both constant; and functions that go through a
   * string, as `number` does. Every other operation takes no longer for a longer value.
   */
  readonly scans: number;
}

const NOTHING: Cost = { reads: 0, operations: 0, scans: 0 };

/** What an evaluation does at most. */
export function estimateCost({ tree, facts }: Checked): Cost {
  return sum(Array.from(walk(tree), (node) => ownCost(node, facts)));
}

/** The cost of a node without those below. */
function ownCost(node: Expression, facts: Checked['facts']): Cost {
  const strict = (row: StrictRow, ...operands: readonly Expression[]): Cost => {
    const known = operands.flatMap((operand) => facts.get(operand) ?? []);
    return { reads: 0, operations: 1, scans: canScan(row, known) ? 1 : 0 };
  };
  switch (node.kind) {
    case 'literal':
    case 'now':
      return NOTHING;
    case 'property':
      return { ...NOTHING, reads: 1 };
    case 'call':
      return strict(FUNCTIONS[node.operator], node.operand);
    case 'prefix':
      return strict(PREFIX[node.operator], node.operand);
    case 'binary':
      return strict(BINARY[node.operator], node.left, node.right);
    case 'timeComparison': {
      const read = [node.left, node.right].filter((side) => !isDatetimeCall(side));
      // What it compares are numbers by then.
      return sum([{ ...NOTHING, operations: 1 }, ...read.map((side) => strict(FUNCTIONS.datetime, side))]);
    }
    case 'membership':
      return { ...NOTHING, operations: node.items.length };
    case 'logical':
      return { ...NOTHING, operations: node.operands.length };
    default:
      return unreachable(node);
  }
}

function sum(costs: readonly Cost[]): Cost {
  return costs.reduce(
    (total, cost) => ({
      reads: total.reads + cost.reads,
      operations: total.operations + cost.operations,
      scans: total.scans + cost.scans,
    }),
    NOTHING,
  );
}

/** Whether an operator can meet a text or a list whose length the expression does not bound, and go through it. */
function canScan(row: StrictRow, operands: readonly NodeFacts[]): boolean {
  const types = operands.map((operand) => operand.types);
  const unbounded = operands.map(({ constant }) => constant === undefined);
  const shared = types.reduce((both, one) => both & one, STRING | LIST);
  return findOverloads(row, types).some(({ grows }) => {
    switch (grows) {
      case 'any':
        return unbounded.includes(true);
      case 'shorter':
        return shared !== 0 && !unbounded.includes(false);
      case 'last':
        return unbounded.at(-1) === true;
      case 'never':
      case undefined:
        return false;
      default:
        return unreachable(grows);
    }
  });
}
