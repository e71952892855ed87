import { SCOPES } from '../lang/ast.ts';
import type { OperatorRow } from '../lang/operators/row.ts';
import { BINARY, FUNCTIONS, LOGICAL, NOW, PREFIX } from '../lang/operators/table.ts';
import type { Completion } from './completion.ts';
import { describeOperator, showOperands } from './documentation.ts';

const FUNCTION_WORDS: readonly Completion[] = Object.values(FUNCTIONS).map((row) => {
  return { ...word(row, 'function'), detail: showOperands(row) };
});

/** Functions and prefix words, before a parenthesis that stands there. */
export const NAMED_CALLS: readonly Completion[] = [...FUNCTION_WORDS, word(PREFIX.not, 'operator')];

/** Functions with parentheses to fill. */
export const CALLS: readonly Completion[] = FUNCTION_WORDS.map((completion) => {
  return { ...completion, insert: `${completion.label}()`, cursor: completion.label.length + 1 };
});

/** The words that are values, and the one before a value. */
export const CONSTANTS: readonly Completion[] = [
  word(PREFIX.not, 'operator'),
  word(NOW, 'constant'),
  { label: 'true', insert: 'true', kind: 'constant' },
  { label: 'false', insert: 'false', kind: 'constant' },
];

/** What to read from, before a bracket that stands there. */
export const SCOPE_WORDS: readonly Completion[] = SCOPES.map((scope) => ({
  label: scope,
  insert: scope,
  kind: 'scope',
}));

/** What to read from, with a name to fill in. */
export const SCOPES_TO_READ: readonly Completion[] = SCOPE_WORDS.map((completion) => {
  return { ...completion, insert: `${completion.label}[""]`, cursor: completion.label.length + 2 };
});

/** What joins conditions. */
export const JUNCTIONS: readonly Completion[] = [LOGICAL.and, LOGICAL.or].map((row) => word(row, 'operator'));

/** All other operators between two operands. */
export const OTHER_OPERATORS: readonly Completion[] = Object.values(BINARY).map((row) => word(row, 'operator'));

function word(row: OperatorRow, kind: Completion['kind']): Completion {
  return { label: row.name, insert: row.name, kind, documentation: describeOperator(row) };
}
