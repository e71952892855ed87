/** The precedence of SQL operators, loosest first. All dialects agree on this order, except for `||` in SQLite. */
export const PRECEDENCE = {
  anything: 0,
  or: 1,
  and: 2,
  not: 3,
  is: 4,
  compare: 5,
  concat: 6,
  sum: 7,
  product: 8,
  sign: 9,
  cast: 10,
  primary: 11,
} as const;

export type Precedence = (typeof PRECEDENCE)[keyof typeof PRECEDENCE];

/** The value of a parameter. It is bound, never written into the SQL. */
export type SqlValue = string | number | boolean;

/** An SQL expression. Parentheses and the numbers of parameters are added when it is rendered. */
export type Sql = Piece | Parameter | Shared;

interface Piece {
  readonly kind: 'piece';
  readonly precedence: Precedence;
  readonly parts: readonly (string | SqlOperand)[];
}

/** An operand, rendered in parentheses if its precedence is lower than `minPrecedence`. */
export interface SqlOperand {
  readonly sql: Sql;
  readonly minPrecedence: Precedence;
  /** Whether the SQL around the operand repeats it. */
  readonly repeats?: true;
}

interface Parameter {
  readonly kind: 'parameter';
  readonly value: SqlValue;
}

/** An expression that is computed once: if it is used several times, it becomes a column of a subselect. */
export interface Shared {
  readonly kind: 'shared';
  readonly sql: Sql;
}

/** Returns a bound parameter. */
export function bindParameter(value: SqlValue): Sql {
  return { kind: 'parameter', value };
}

/** Returns verbatim SQL: a quoted name or a constant. Never pass user input. */
export function raw(code: string): Sql {
  return { kind: 'piece', precedence: PRECEDENCE.primary, parts: [code] };
}

/** Marks an expression that may be used several times, so that it is computed once. */
export function shareExpression(sql: Sql): Sql {
  return isSimple(sql) || sql.kind === 'shared' ? sql : { kind: 'shared', sql };
}

/** Returns whether an expression is a name, a constant or a parameter, which costs nothing to repeat. */
export function isSimple(sql: Sql): boolean {
  return sql.kind === 'parameter' || (sql.kind === 'piece' && sql.parts.every((part) => typeof part === 'string'));
}

/** Returns an operand that needs at least this precedence. */
export function wrapOperand(sql: Sql, minPrecedence: Precedence): SqlOperand {
  return { sql, minPrecedence };
}

/**
 * Returns a template tag that builds an expression with this precedence from SQL and operands, such as
 * `` fragment(PRECEDENCE.is)`${wrapOperand(x, PRECEDENCE.concat)} IS NULL` ``. A bare expression needs no precedence.
 */
export function fragment(
  precedence: Precedence,
): (strings: TemplateStringsArray, ...operands: readonly (SqlOperand | Sql)[]) => Sql {
  return (strings, ...operands) => {
    const parts = strings.flatMap((string, index) => {
      const next = operands[index];
      const operand = next === undefined || !('kind' in next) ? next : wrapOperand(next, PRECEDENCE.anything);
      return [...(string === '' ? [] : [string]), ...(operand === undefined ? [] : [operand])];
    });
    return { kind: 'piece', precedence, parts };
  };
}

/** Returns a function call. */
export function call(name: string, ...operands: readonly Sql[]): Sql {
  const parts = operands.flatMap((sql, index) => [
    ...(index === 0 ? [] : [', ']),
    wrapOperand(sql, PRECEDENCE.anything),
  ]);
  return { kind: 'piece', precedence: PRECEDENCE.primary, parts: [`${name}(`, ...parts, ')'] };
}

/** Returns a macro call. A macro repeats its operands, so each is computed before. */
export function callMacro(name: string, ...operands: readonly Sql[]): Sql {
  const parts = operands.flatMap((sql, index) => [
    ...(index === 0 ? [] : [', ']),
    { sql: shareExpression(sql), minPrecedence: PRECEDENCE.anything, repeats: true } as const,
  ]);
  return { kind: 'piece', precedence: PRECEDENCE.primary, parts: [`${name}(`, ...parts, ')'] };
}

/** Returns a left-associative infix operation. */
export function infix(left: Sql, operator: string, right: Sql, precedence: Precedence): Sql {
  return fragment(
    precedence,
  )`${wrapOperand(left, precedence)} ${raw(operator)} ${wrapOperand(right, (precedence + 1) as Precedence)}`;
}

/** Returns a comparison. Operands that are comparisons get parentheses. */
export function compare(left: Sql, operator: string, right: Sql): Sql {
  return fragment(
    PRECEDENCE.compare,
  )`${wrapOperand(left, PRECEDENCE.concat)} ${raw(operator)} ${wrapOperand(right, PRECEDENCE.concat)}`;
}

/** Returns `x IN (a, b)`, or `x = a` for a single value. */
export function isIn(operand: Sql, values: readonly Sql[]): Sql {
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) return compare(operand, '=', only);
  return fragment(PRECEDENCE.compare)`${wrapOperand(operand, PRECEDENCE.concat)} IN ${call('', ...values)}`;
}

/** Returns `x BETWEEN low AND high`. */
export function between(operand: Sql, low: Sql, high: Sql): Sql {
  return fragment(
    PRECEDENCE.compare,
  )`${wrapOperand(operand, PRECEDENCE.concat)} BETWEEN ${wrapOperand(low, PRECEDENCE.concat)} AND ${wrapOperand(high, PRECEDENCE.concat)}`;
}

/** Returns a postfix test like `x IS NULL`. */
export function postfix(operand: Sql, test: string): Sql {
  return fragment(PRECEDENCE.is)`${wrapOperand(operand, PRECEDENCE.concat)} ${raw(test)}`;
}

export const TRUE = raw('true');
export const FALSE = raw('false');

/** Joins conditions with `AND`; `true` without operands. Constants are folded. */
export function and(...operands: readonly Sql[]): Sql {
  return joinConditions('AND', PRECEDENCE.and, TRUE, FALSE, operands);
}

/** Joins conditions with `OR`; `false` without operands. Constants are folded. */
export function or(...operands: readonly Sql[]): Sql {
  return joinConditions('OR', PRECEDENCE.or, FALSE, TRUE, operands);
}

function joinConditions(
  operator: string,
  precedence: Precedence,
  neutral: Sql,
  decisive: Sql,
  all: readonly Sql[],
): Sql {
  if (all.includes(decisive)) return decisive;
  const operands = all.filter((operand) => operand !== neutral);
  const [only] = operands;
  if (only === undefined) return neutral;
  if (operands.length === 1) return only;
  // Operands with the same operator need no parentheses.
  const parts = operands.flatMap((sql, index) => [
    ...(index === 0 ? [] : [` ${operator} `]),
    wrapOperand(sql, precedence),
  ]);
  return { kind: 'piece', precedence, parts };
}

/** Negates a condition that is never NULL. */
export function not(operand: Sql): Sql {
  if (operand === TRUE) return FALSE;
  if (operand === FALSE) return TRUE;
  return fragment(PRECEDENCE.not)`NOT ${wrapOperand(operand, PRECEDENCE.compare)}`;
}

/** Returns `CASE WHEN … THEN … END`: NULL if no condition is true and there is no `ELSE`. */
export function caseWhen(branches: readonly (readonly [when: Sql, then: Sql])[], otherwise?: Sql): Sql {
  const parts = branches.flatMap(([when, then]) => [
    ' WHEN ',
    wrapOperand(when, PRECEDENCE.anything),
    ' THEN ',
    wrapOperand(then, PRECEDENCE.anything),
  ]);
  const end = otherwise === undefined ? [] : [' ELSE ', wrapOperand(otherwise, PRECEDENCE.anything)];
  return { kind: 'piece', precedence: PRECEDENCE.primary, parts: ['CASE', ...parts, ...end, ' END'] };
}

/** Returns the first operand that is not NULL. */
export function coalesce(...operands: readonly Sql[]): Sql {
  const [only] = operands;
  return only !== undefined && operands.length === 1 ? only : call('coalesce', ...operands);
}
