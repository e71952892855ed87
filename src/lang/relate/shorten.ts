import type { Expression } from '../ast.ts';
import type { Checked } from '../check/check.ts';
import type { Schema } from '../check/schema.ts';
import { simplifyTree } from '../explain/simplify-tree.ts';
import { tryParse } from '../syntax/parse.ts';
import { print } from '../syntax/print.ts';
import type { Budget } from './budget.ts';
import { checkAgain, LONG } from './normal-text.ts';
import { normalizeTree } from './normalize.ts';
import { FAILED, pairResults, REJECTED, SELECTED } from './outcomes.ts';
import { findJointAnswers } from './relate-filters.ts';

/** Both filters select a record, both reject it, or both fail. */
const ALIKE = [SELECTED, REJECTED, FAILED].map((result) => pairResults(result, result));

/**
 * Returns the shortest filter found that answers as another does, and raises type errors on the same records. Each part
 * that it omits was proved to make no difference.
 */
export function shortenFilter(filter: Checked, schema: Schema | undefined, budget: Budget): string {
  const check = (text: string) => (budget.spend(text.length) ? checkAgain(text, filter) : undefined);
  const isSameText = (text: string) => {
    const candidate = check(text);
    if (candidate === undefined) return false;
    const { answers, isComplete } = findJointAnswers(filter, candidate, schema, budget);
    return isComplete && answers.every(({ answer }) => ALIKE.includes(answer));
  };
  const constant = ['true', 'false'].find(isSameText);
  if (constant !== undefined) return constant;
  let shortest = print(simplifyTree(filter, 'where'));
  for (let next: string | undefined = shortest; next !== undefined; ) {
    shortest = next;
    next = findShorter(shortest, budget, isSameText);
  }
  const checked = check(shortest);
  const texts = [filter.source, shortest];
  if (checked !== undefined) texts.push(print(normalizeTree(checked, 'where', true)));
  return texts.reduce((best, text) => (text.length < best.length ? text : best));
}

function findShorter(text: string, budget: Budget, isSameText: (text: string) => boolean): string | undefined {
  const { tree } = tryParse(text, LONG);
  if (tree === undefined) return undefined;
  for (const shorter of listShorter(tree)) {
    if (!budget.spend(text.length)) return undefined;
    const candidate = print(shorter);
    if (candidate.length < text.length && isSameText(candidate)) return candidate;
  }
  return undefined;
}

/** Lists what is left of a tree without one operand of a chain of `and` or `or`. */
function* listShorter(node: Expression): Generator<Expression> {
  if (node.kind === 'prefix' && node.operator === 'not') {
    for (const operand of listShorter(node.operand)) yield { ...node, operand };
  }
  if (node.kind !== 'logical') return;
  for (const [index] of node.operands.entries()) {
    const [only, ...others] = node.operands.toSpliced(index, 1);
    if (only !== undefined) yield others.length === 0 ? only : { ...node, operands: [only, ...others] };
  }
  for (const [index, operand] of node.operands.entries())
    for (const shorter of listShorter(operand)) yield { ...node, operands: node.operands.with(index, shorter) };
}
