/** How tight a piece of SQL holds together, loosest first: an order in which all dialects agree. */
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

/** What a parameter holds; it travels beside the text, never in it. */
export type SqlValue = string | number | boolean;

/** An SQL expression before it is text: where it needs parentheses, and which place a parameter has, is settled when it is written. */
export type Sql = Piece | Parameter | Shared;

interface Piece {
  readonly kind: 'piece';
  readonly binds: Precedence;
  readonly parts: readonly (string | SqlOperand)[];
}

/** A place for an expression, in parentheses where it holds together looser than the place needs. */
export interface SqlOperand {
  readonly sql: Sql;
  readonly needs: Precedence;
  /** Whether what is put here ends up in several places. */
  readonly repeats?: true;
}

interface Parameter {
  readonly kind: 'parameter';
  readonly value: SqlValue;
}

/** An expression that is worked out once: where it stands in several places, a subselect makes a column of it. */
export interface Shared {
  readonly kind: 'shared';
  readonly sql: Sql;
}

/** A value that is bound. */
export function bindParameter(value: SqlValue): Sql {
  return { kind: 'parameter', value };
}

/** Text that stands for itself: a quoted name, or a constant of ours. */
export function raw(text: string): Sql {
  return { kind: 'piece', binds: PRECEDENCE.primary, parts: [text] };
}

/** An expression that may stand in several places. */
export function shareExpression(sql: Sql): Sql {
  return isSimple(sql) || sql.kind === 'shared' ? sql : { kind: 'shared', sql };
}

/** Whether it is a name, a constant or a parameter, which costs nothing to repeat. */
export function isSimple(sql: Sql): boolean {
  return sql.kind === 'parameter' || (sql.kind === 'piece' && sql.parts.every((part) => typeof part === 'string'));
}

/** A place that needs an expression to hold together as tight as this. */
export function wrapOperand(sql: Sql, needs: Precedence): SqlOperand {
  return { sql, needs };
}

/** An expression of text and holes: `` piece(BINDS.sum)`${hole(left, BINDS.sum)} + ${hole(right, BINDS.product)}` ``; a bare expression is a place for anything. */
export function fragment(
  binds: Precedence,
): (texts: TemplateStringsArray, ...holes: readonly (SqlOperand | Sql)[]) => Sql {
  return (texts, ...holes) => {
    const parts = texts.flatMap((text, index) => {
      const next = holes[index];
      const filled = next === undefined || !('kind' in next) ? next : wrapOperand(next, PRECEDENCE.anything);
      return [...(text === '' ? [] : [text]), ...(filled === undefined ? [] : [filled])];
    });
    return { kind: 'piece', binds, parts };
  };
}

/** A call of a function. */
export function call(name: string, ...operands: readonly Sql[]): Sql {
  const parts = operands.flatMap((sql, index) => [
    ...(index === 0 ? [] : [', ']),
    wrapOperand(sql, PRECEDENCE.anything),
  ]);
  return { kind: 'piece', binds: PRECEDENCE.primary, parts: [`${name}(`, ...parts, ')'] };
}

/** A call of a macro, which repeats its operands: each is worked out before. */
export function callMacro(name: string, ...operands: readonly Sql[]): Sql {
  const parts = operands.flatMap((sql, index) => [
    ...(index === 0 ? [] : [', ']),
    { sql: shareExpression(sql), needs: PRECEDENCE.anything, repeats: true } as const,
  ]);
  return { kind: 'piece', binds: PRECEDENCE.primary, parts: [`${name}(`, ...parts, ')'] };
}

/** An infix operator that groups to the left. */
export function infix(left: Sql, operator: string, right: Sql, binds: Precedence): Sql {
  return fragment(binds)`${wrapOperand(left, binds)} ${raw(operator)} ${wrapOperand(right, (binds + 1) as Precedence)}`;
}

/** A comparison, whose sides are never comparisons without parentheses. */
export function compare(left: Sql, operator: string, right: Sql): Sql {
  return fragment(
    PRECEDENCE.compare,
  )`${wrapOperand(left, PRECEDENCE.concat)} ${raw(operator)} ${wrapOperand(right, PRECEDENCE.concat)}`;
}

/** `x IN (a, b)`, or `x = a` for a single one. */
export function isIn(operand: Sql, values: readonly Sql[]): Sql {
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) return compare(operand, '=', only);
  return fragment(PRECEDENCE.compare)`${wrapOperand(operand, PRECEDENCE.concat)} IN ${call('', ...values)}`;
}

/** `x BETWEEN low AND high`. */
export function between(operand: Sql, low: Sql, high: Sql): Sql {
  return fragment(
    PRECEDENCE.compare,
  )`${wrapOperand(operand, PRECEDENCE.concat)} BETWEEN ${wrapOperand(low, PRECEDENCE.concat)} AND ${wrapOperand(high, PRECEDENCE.concat)}`;
}

/** A postfix test like `IS NULL`. */
export function postfix(operand: Sql, test: string): Sql {
  return fragment(PRECEDENCE.is)`${wrapOperand(operand, PRECEDENCE.concat)} ${raw(test)}`;
}

export const TRUE = raw('true');
export const FALSE = raw('false');

/** All of these; `true` for none. Constants fall out. */
export function and(...operands: readonly Sql[]): Sql {
  return chain('AND', PRECEDENCE.and, TRUE, FALSE, operands);
}

/** Some of these; `false` for none. Constants fall out. */
export function or(...operands: readonly Sql[]): Sql {
  return chain('OR', PRECEDENCE.or, FALSE, TRUE, operands);
}

function chain(word: string, binds: Precedence, neutral: Sql, decisive: Sql, all: readonly Sql[]): Sql {
  if (all.includes(decisive)) return decisive;
  const operands = all.filter((operand) => operand !== neutral);
  const [only] = operands;
  if (only === undefined) return neutral;
  if (operands.length === 1) return only;
  // A chain of one operator needs no parentheses, wherever its parts came from.
  const parts = operands.flatMap((sql, index) => [...(index === 0 ? [] : [` ${word} `]), wrapOperand(sql, binds)]);
  return { kind: 'piece', binds, parts };
}

/** The opposite of a condition that is never NULL. */
export function not(operand: Sql): Sql {
  if (operand === TRUE) return FALSE;
  if (operand === FALSE) return TRUE;
  return fragment(PRECEDENCE.not)`NOT ${wrapOperand(operand, PRECEDENCE.compare)}`;
}

/** `CASE WHEN … THEN … END`: NULL where no condition holds, unless there is an `ELSE`. */
export function caseWhen(branches: readonly (readonly [when: Sql, then: Sql])[], otherwise?: Sql): Sql {
  const parts = branches.flatMap(([when, then]) => [
    ' WHEN ',
    wrapOperand(when, PRECEDENCE.anything),
    ' THEN ',
    wrapOperand(then, PRECEDENCE.anything),
  ]);
  const end = otherwise === undefined ? [] : [' ELSE ', wrapOperand(otherwise, PRECEDENCE.anything)];
  return { kind: 'piece', binds: PRECEDENCE.primary, parts: ['CASE', ...parts, ...end, ' END'] };
}

/** The first that is not NULL. */
export function coalesce(...operands: readonly Sql[]): Sql {
  const [only] = operands;
  return only !== undefined && operands.length === 1 ? only : call('coalesce', ...operands);
}
