import { truncate } from '../../base/strings.ts';
import { type Expression, isDatetimeCall, type Logical, type NodeOf } from '../ast.ts';
import type { Checked } from '../check/check.ts';
import { canFail, getFacts } from '../check/node-facts.ts';
import type { Diagnostic, Fix, RelationCode } from '../diagnostic.ts';
import { COMPARISONS } from '../operators/table.ts';
import { isOrder, MIRRORED } from '../plan/range.ts';
import type { Span } from '../source.ts';
import { printInline } from '../syntax/print.ts';
import { showValue } from '../value.ts';
import type { Assumption, Claim } from './claims.ts';

/** A condition in words: `a` `is 1`, or `be 1` after `cannot`. */
interface Statement {
  readonly subject: string;
  readonly verb: 'be' | 'contain';
  readonly isNegated: boolean;
  readonly object: string;
}

/** The words of each code, and what to write instead of conditions that conflict. */
export const RELATION_WORDS: Readonly<Record<RelationCode, readonly [message: string, help?: string]>> = {
  'always-true': ['This is always true', 'If all of the conditions must hold, join them with `and`.'],
  'never-true': ['This is never true', 'If one of the conditions is enough, join them with `or`.'],
  'redundant-condition': ['This makes no difference'],
  'unreachable-condition': ['This is never true here'],
};

/** Creates a warning, which gives the reason if it has one. */
export function createWarning(
  code: RelationCode,
  span: Span,
  why: string | undefined,
  bySchema: boolean,
  fix: Fix | undefined,
): Diagnostic {
  const [said, help] = RELATION_WORDS[code];
  const because = why === undefined ? '' : `: ${why}`;
  return {
    code,
    severity: 'warning',
    message: `${said}${bySchema ? ', according to the schema' : ''}${because}.`,
    ...(why !== undefined && help !== undefined && { help }),
    span,
    ...(fix !== undefined && { fix }),
  };
}

/** More characters of a code are not shown. */
const MAX_WIDTH = 40;

/** Says why a condition is always or never true, if that takes several claims. */
export function explainConflict(conflict: readonly Claim[]): string | undefined {
  return conflict.length > 1 ? describeConflict(conflict) : undefined;
}

/** Says why an operand of a chain makes no difference beside other claims. */
export function explainRedundant(
  { operator, operands }: Logical,
  operand: Expression,
  conflict: readonly Claim[],
  others: readonly Claim[],
  facts: Checked['facts'],
): string {
  const [other, ...more] = others;
  const [own, ...further] = conflict.filter((claim) => !others.includes(claim));
  // Where another condition raises a type error, it is neither true nor false.
  const isSure = operator === 'and' || !others.some(({ node }) => canFail(getFacts(node, facts)));
  if (isSure && other !== undefined && own !== undefined && more.length === 0 && further.length === 0) {
    if (own.node === operand && operands.includes(other.node) && saySame(own.node, other.node))
      return `it says the same as ${quoteNode(other.node)}`;
    const [premise, conclusion] = operator === 'or' ? [own, other] : [other, own];
    const implication = describeImplication(premise, { ...conclusion, isTrue: !conclusion.isTrue });
    if (implication !== undefined) return implication;
  }
  const where = listAssumptions(others.map((claim) => claim.written));
  return `it is ${operator === 'and' ? 'always' : 'never'} true where ${where}`;
}

/** Says why some claims cannot hold together: `` `a` cannot be 1 and 2 ``. */
function describeConflict(claims: readonly Claim[]): string {
  const ordered = claims.toSorted((one, other) => one.node.span.start - other.node.span.start);
  const statements = ordered.map(toStatement);
  const [first] = statements;
  if (first !== undefined && statements.every(({ subject }) => subject === first.subject)) {
    const sorted = [...statements].sort(
      (one, other) => one.verb.localeCompare(other.verb) || Number(one.isNegated) - Number(other.isNegated),
    );
    const said = sorted.map((statement, index) => {
      const { verb, isNegated, object } = statement;
      const repeats = sorted[index - 1]?.verb === verb && verb === 'be';
      return [isNegated ? ['not'] : [], repeats ? [] : [verb], object].flat().join(' ');
    });
    return `${quoteCode(first.subject)} cannot ${joinWords(said, 'and')}`;
  }
  const written = ordered.map((claim) => claim.written);
  const [{ isTrue } = { isTrue: true }, ...others] = written;
  if (!others.every((other) => other.isTrue === isTrue)) return `it cannot be that ${listAssumptions(written)}`;
  const codes = joinWords(
    written.map(({ node }) => quoteNode(node)),
    'and',
  );
  return `${codes} cannot ${others.length === 1 ? 'both' : 'all'} be ${isTrue}`;
}

/**
 * Says why a condition follows from another one: `` `a` is more than 3 whenever it is more than 5 ``. Undefined if they are
 * about different parts, or say the same.
 */
function describeImplication(premise: Assumption, conclusion: Assumption): string | undefined {
  const [one, other] = [toStatement(premise), toStatement(conclusion)];
  if (one.subject !== other.subject) return undefined;
  const [given, follows] = [inflect(one), inflect(other)];
  return given === follows ? undefined : `${quoteCode(one.subject)} ${follows} whenever it ${given}`;
}

/** Returns whether two conditions are the same in words. */
function saySame(one: Expression, other: Expression): boolean {
  const [first, second] = [one, other].map((node) => toStatement({ node, isTrue: true }));
  return (
    first?.subject === second?.subject &&
    first !== undefined &&
    second !== undefined &&
    inflect(first) === inflect(second)
  );
}

/** Lists assumptions: `` `a` is true and `b` is false ``. */
function listAssumptions(assumptions: readonly Assumption[]): string {
  return joinWords(
    assumptions.map(({ node, isTrue }) => `${quoteNode(node)} is ${isTrue}`),
    'and',
  );
}

/** Returns the code of a node on one line, shortened, in backticks. */
function quoteNode(node: Expression): string {
  return quoteCode(printInline(node));
}

function quoteCode(code: string): string {
  return `\`${truncate(code, MAX_WIDTH)}\``;
}

function inflect({ verb, isNegated, object }: Statement): string {
  if (verb === 'be') return `is ${isNegated ? 'not ' : ''}${object}`;
  return isNegated ? `does not contain ${object}` : `contains ${object}`;
}

/** The most parts of a sentence that are listed. */
const MAX_PARTS = 3;

function joinWords(parts: readonly string[], word: string): string {
  const shown =
    parts.length > MAX_PARTS ? [...parts.slice(0, MAX_PARTS - 1), `${parts.length - MAX_PARTS + 1} others`] : parts;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} ${word} ${last}`;
}

function toStatement({ node, isTrue }: Assumption): Statement {
  const { subject, verb = 'be', object, isNegated = false } = readStatement(node);
  return { subject: printInline(subject), verb, object, isNegated: isNegated === isTrue };
}

interface Read {
  readonly subject: Expression;
  readonly object: string;
  readonly verb?: Statement['verb'];
  readonly isNegated?: boolean;
}

/** Reads what a condition says about a part if it is true. */
function readStatement(node: Expression): Read {
  switch (node.kind) {
    case 'call':
      return node.operator === 'defined' ? { subject: node.operand, object: 'defined' } : sayTrue(node);
    case 'membership': {
      const values = node.items.map(({ value }) => value);
      const [only, ...others] = values;
      const object = only !== undefined && others.length === 0 ? showValue(only) : `in ${showValue(values)}`;
      return { subject: node.operand, object: truncate(object, MAX_WIDTH) };
    }
    case 'binary':
      if (node.operator === 'in') return readSearch(node);
      return Object.hasOwn(COMPARISONS, node.operator)
        ? readComparison(node, NUMBER_WORDS, node.left, node.right)
        : sayTrue(node);
    case 'timeComparison':
      return readComparison(node, TIME_WORDS, getTime(node.left), getTime(node.right));
    default:
      return sayTrue(node);
  }
}

function sayTrue(subject: Expression): Read {
  return { subject, object: 'true' };
}

function readSearch(node: NodeOf<'binary'>): Read {
  if (node.left.kind !== 'literal') return sayTrue(node);
  return { subject: node.right, verb: 'contain', object: showOperand(node.left) };
}

const NUMBER_WORDS = { '<': 'less than ', '<=': 'at most ', '>': 'more than ', '>=': 'at least ', '==': '' } as const;
const TIME_WORDS = { '<': 'before ', '<=': 'at or before ', '>': 'after ', '>=': 'at or after ', '==': 'at ' } as const;

function readComparison(
  { operator }: NodeOf<'binary' | 'timeComparison'>,
  words: Readonly<Record<string, string>>,
  left: Expression,
  right: Expression,
): Read {
  const isSwapped = isConstant(left);
  const order = isSwapped && isOrder(operator) ? MIRRORED[operator] : operator;
  const isNegated = order === '!=';
  const [subject, other] = isSwapped ? [right, left] : [left, right];
  return { subject, isNegated, object: `${words[isNegated ? '==' : order]}${showOperand(other)}` };
}

function isConstant(node: Expression): boolean {
  return node.kind === 'literal' || (node.kind === 'prefix' && isConstant(node.operand));
}

/** Returns what `datetime` reads, which every side of a comparison of times is read through. */
function getTime(side: Expression): Expression {
  return side.kind === 'call' && isDatetimeCall(side) ? side.operand : side;
}

function showOperand(node: Expression): string {
  return node.kind === 'literal'
    ? truncate(showValue(node.value), MAX_WIDTH)
    : isConstant(node)
      ? printInline(node)
      : quoteNode(node);
}
