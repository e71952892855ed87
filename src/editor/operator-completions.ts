import { SCOPES } from '../lang/ast.ts';
import type { OperatorRow } from '../lang/operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, NOW, PREFIX } from '../lang/operators/table.ts';
import type { Completion } from './completion.ts';
import { describeOperator, showOperands } from './documentation.ts';

const FUNCTION_WORDS: readonly Completion[] = Object.values(FUNCTIONS).map((row) => {
  return { ...toCompletion(row, 'function'), detail: showOperands(row) };
});

/** Functions and `not`, in front of an existing parenthesis. */
export const NAMED_CALLS: readonly Completion[] = [...FUNCTION_WORDS, toCompletion(PREFIX.not, 'operator')];

/** Functions with parentheses; the cursor goes between them. */
export const CALLS: readonly Completion[] = FUNCTION_WORDS.map((completion) => {
  return { ...completion, insert: `${completion.label}()`, cursor: completion.label.length + 1 };
});

/** Constants, and `not`. */
export const CONSTANTS: readonly Completion[] = [
  toCompletion(PREFIX.not, 'operator'),
  toCompletion(NOW, 'constant'),
  { label: 'true', insert: 'true', kind: 'constant' },
  { label: 'false', insert: 'false', kind: 'constant' },
];

/** `properties` and `user`, in front of an existing bracket. */
export const SCOPE_WORDS: readonly Completion[] = SCOPES.map((scope) => ({
  label: scope,
  insert: scope,
  kind: 'scope',
}));

/** `properties[""]` and `user[""]`; the cursor goes between the quotes. */
export const SCOPE_READS: readonly Completion[] = SCOPE_WORDS.map((completion) => {
  return { ...completion, insert: `${completion.label}[""]`, cursor: completion.label.length + 2 };
});

/** `and` and `or`. */
export const LOGICAL_OPERATORS: readonly Completion[] = [LOGICAL.and, LOGICAL.or].map((row) =>
  toCompletion(row, 'operator'),
);

/** All other binary operators. */
export const OTHER_OPERATORS: readonly Completion[] = Object.values(BINARY).map((row) => toCompletion(row, 'operator'));

function toCompletion(row: OperatorRow, kind: Completion['kind']): Completion {
  return { label: row.name, insert: row.name, kind, documentation: describeOperator(row) };
}
