import { type Checked, checkTree, type Use } from '../check/check.ts';
import { simplifyTree } from '../explain/simplify-tree.ts';
import { tryParse } from '../syntax/parse.ts';
import { print } from '../syntax/print.ts';
import { normalizeTree } from './normalize.ts';

/** Limits for what was within those of the caller before. */
export const LONG = { limits: { length: 5_000_000, depth: 400 } };

/** The passes after which the normal form is left as it is, if it still changes. */
const MAX_PASSES = 8;

/** Returns the text of the normal form of an expression. What one pass leaves can be folded by the next. */
export function toNormalText(expression: Checked, use: Use): string {
  let text = normalizeOnce(expression, use);
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const checked = checkAgain(text, expression, use);
    const next = checked === undefined ? text : normalizeOnce(checked, use);
    if (next === text) return text;
    text = next;
  }
  return text;
}

function normalizeOnce(expression: Checked, use: Use): string {
  const folded = checkAgain(print(simplifyTree(expression, use)), expression, use) ?? expression;
  return print(normalizeTree(folded, use, false));
}

/** Checks a text; undefined if it fails on every record. */
export function checkAgain(text: string, { timeZone }: Checked, use: Use = 'where'): Checked | undefined {
  const { tree } = tryParse(text, LONG);
  if (tree === undefined) return undefined;
  const checked = checkTree(text, tree, use, { timeZone });
  return checked.diagnostics.some(({ severity }) => severity === 'error') ? undefined : checked;
}
