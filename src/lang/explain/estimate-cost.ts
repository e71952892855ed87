import { type Expression, isDatetimeCall, walk } from '../ast.ts';
import type { Checked } from '../check/check.ts';
import type { NodeFacts } from '../check/node-facts.ts';
import { findOverloads } from '../operators/overloads.ts';
import type { StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, PREFIX } from '../operators/table.ts';
import { LIST, STRING } from '../types.ts';
import { unreachable } from '../util/unreachable.ts';

/** The maximum cost of one evaluation. The language has no loops, so the source of an expression bounds it. */
export interface Cost {
  /** Property reads, counted for each occurrence in the source. Reading a list copies it. */
  readonly reads: number;
  /**
   * Steps of evaluation:
   *
   * - one for each operator and function
   * - one for each operand of `and` and `or`
   * - one for each item of a literal list of `in`
   * - one for each side of a comparison of times that is read through `datetime`
   */
  readonly operations: number;
  /**
   * The operations that can scan a string or a list of unbounded length. Their time is proportional to its length:
   *
   * - `in` with a value on the right that is not constant
   * - `==`, `!=`, `<`, `<=`, `>` and `>=` if both sides can be strings, or both lists, and neither is constant
   * - `+` of strings that are not both constant
   * - functions that scan a string, such as `number`
   *
   * The time of other operations does not depend on the length of values.
   */
  readonly scans: number;
}

const NOTHING: Cost = { reads: 0, operations: 0, scans: 0 };

/** Estimates the maximum cost of one evaluation. */
export function estimateCost({ tree, facts }: Checked): Cost {
  return addCosts(Array.from(walk(tree), (node) => estimateNode(node, facts)));
}

/** Estimates the cost of a node without its children. */
function estimateNode(node: Expression, facts: Checked['facts']): Cost {
  const estimateStrict = (row: StrictRow, ...operands: readonly Expression[]): Cost => {
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
      return estimateStrict(FUNCTIONS[node.operator], node.operand);
    case 'prefix':
      return estimateStrict(PREFIX[node.operator], node.operand);
    case 'binary':
      return estimateStrict(BINARY[node.operator], node.left, node.right);
    case 'timeComparison': {
      const converted = [node.left, node.right].filter((side) => !isDatetimeCall(side));
      // The comparison itself compares numbers, so it never scans.
      const conversions = converted.map((side) => estimateStrict(FUNCTIONS.datetime, side));
      return addCosts([{ ...NOTHING, operations: 1 }, ...conversions]);
    }
    case 'membership':
      return { ...NOTHING, operations: node.items.length };
    case 'logical':
      return { ...NOTHING, operations: node.operands.length };
    default:
      return unreachable(node);
  }
}

function addCosts(costs: readonly Cost[]): Cost {
  return costs.reduce(
    (total, cost) => ({
      reads: total.reads + cost.reads,
      operations: total.operations + cost.operations,
      scans: total.scans + cost.scans,
    }),
    NOTHING,
  );
}

/** Returns whether an operator can scan a string or a list whose length the expression does not bound. */
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
