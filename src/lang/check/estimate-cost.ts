import { unreachable } from '../../base/unreachable.ts';
import { type Expression, isDatetimeCall, walk } from '../ast.ts';
import { findOverloads } from '../operators/overloads.ts';
import type { StrictRow } from '../operators/row.ts';
import { BINARY, FUNCTIONS, PREFIX } from '../operators/table.ts';
import { LIST, STRING } from '../types.ts';
import type { Checked } from './check.ts';
import type { NodeFacts } from './node-facts.ts';

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

/** Estimates the maximum cost of one evaluation. */
export function estimateCost({ tree, facts }: Checked): Cost {
  const cost = { reads: 0, operations: 0, scans: 0 };
  const addStrict = (row: StrictRow, ...operands: readonly Expression[]) => {
    cost.operations++;
    if (canScan(row, operands, facts)) cost.scans++;
  };
  for (const node of walk(tree)) {
    switch (node.kind) {
      case 'literal':
      case 'now':
        break;
      case 'property':
        cost.reads++;
        break;
      case 'call':
        addStrict(FUNCTIONS[node.operator], node.operand);
        break;
      case 'prefix':
        addStrict(PREFIX[node.operator], node.operand);
        break;
      case 'binary':
        addStrict(BINARY[node.operator], node.left, node.right);
        break;
      case 'timeComparison':
        // The comparison itself compares numbers, so it never scans.
        cost.operations++;
        for (const side of [node.left, node.right]) if (!isDatetimeCall(side)) addStrict(FUNCTIONS.datetime, side);
        break;
      case 'membership':
        cost.operations += node.items.length;
        break;
      case 'logical':
        cost.operations += node.operands.length;
        break;
      default:
        unreachable(node);
    }
  }
  return cost;
}

/** Returns whether an operator can scan a string or a list whose length the expression does not bound. */
function canScan(row: StrictRow, operands: readonly Expression[], facts: Checked['facts']): boolean {
  const known = operands.map((operand) => facts.get(operand) as NodeFacts);
  const types = known.map((operand) => operand.types);
  const unbounded = known.map(({ constant }) => constant === undefined);
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
