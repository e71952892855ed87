import type { ComparisonName } from '../operators/table.ts';
import { type Condition, conjunction, disjunction, isOneOf } from './conditions.ts';
import {
  ALWAYS,
  branchCondition,
  branchValue,
  firstDefined,
  type InfixTerm,
  LOOSE,
  parseItems,
  RULES,
} from './infix-rules.ts';
import { InfixValueParser } from './infix-values.ts';
import { SCRIPT_COMPARISONS as COMPARISONS, compareLoosely, isLoose } from './loose.ts';
import { refuseAt } from './refusal.ts';
import { containsString } from './strings.ts';
import { type ForeignToken, splitTokens, TokenCursor } from './tokens.ts';
import { compareKnown, getConstant, NULL_VALUE, noteConversions } from './values.ts';

/**
 * Reads a condition with the operators of C.
 *
 * @param isStrict Whether reading a missing value fails, as in CEL, so that a condition on it is neither true nor false.
 *   Else it is undefined, as in JavaScript.
 */
export function readInfix(source: string, isStrict: boolean): { condition: Condition; notes: Set<string> } {
  const cursor = new TokenCursor(splitTokens(source, RULES));
  const parser = new InfixParser(cursor, isStrict);
  const condition = parser.toCondition(parser.parseTernary());
  cursor.accept(';');
  if (cursor.next.kind !== 'end') cursor.refuseNext();
  return { condition, notes: cursor.notes };
}

class InfixParser extends InfixValueParser {
  override parseTernary(): InfixTerm {
    const { cursor } = this;
    const start = cursor.next;
    const test = cursor.nest(() => this.parseCoalesce());
    if (!cursor.accept('?')) return test;
    const condition = this.toCondition(test);
    const yes = cursor.nest(() => this.parseTernary());
    cursor.expect(':');
    const no = cursor.nest(() => this.parseTernary());
    const span = cursor.since(start);
    if (yes.kind === 'value' && no.kind === 'value')
      return { kind: 'value', value: branchValue(condition, yes.value, no.value), span };
    return {
      kind: 'condition',
      condition: branchCondition(condition, this.toCondition(yes), this.toCondition(no)),
      span,
    };
  }

  /** Parses `a ?? b`, which binds less tightly than comparisons and cannot be mixed with `&&` or `||`. */
  private parseCoalesce(): InfixTerm {
    const { cursor } = this;
    const start = cursor.next;
    const terms = [this.parseOr()];
    while (cursor.sees('??')) {
      if (this.isStrict) refuseAt('operator', cursor.next.span, '`??` is not an operator of CEL.');
      cursor.take();
      terms.push(this.parseOr());
    }
    const [only] = terms;
    if (terms.length === 1 && only !== undefined) return only;
    for (const { isChain, span } of terms)
      if (isChain) refuseAt('syntax', span, 'JavaScript needs parentheses around `&&` and `||` beside `??`.');
    return firstDefined(terms, cursor.since(start));
  }

  private parseOr(): InfixTerm {
    return this.parseChain('||', () => this.parseAnd(), disjunction);
  }

  private parseAnd(): InfixTerm {
    return this.parseChain('&&', () => this.parseComparison(), conjunction);
  }

  private parseChain(
    symbol: string,
    parse: () => InfixTerm,
    combine: (conditions: readonly Condition[]) => Condition,
  ): InfixTerm {
    const start = this.cursor.next;
    const first = parse();
    if (!this.cursor.sees(symbol)) return first;
    const conditions = [this.toCondition(first)];
    while (this.cursor.accept(symbol)) conditions.push(this.toCondition(parse()));
    return { kind: 'condition', condition: combine(conditions), isChain: true, span: this.cursor.since(start) };
  }

  private parseComparison(): InfixTerm {
    const { cursor } = this;
    const start = cursor.next;
    const left = this.parseSum();
    const { next } = cursor;
    const comparison = next.kind === 'symbol' ? COMPARISONS.get(next.text) : undefined;
    if (comparison === undefined && !cursor.sees('IN')) return left;
    cursor.take();
    if (comparison === undefined && !this.isStrict)
      refuseAt('operator', next.span, 'In JavaScript, `in` looks for a key. Write ["pro", "team"].includes(plan).');
    const condition = comparison === undefined ? this.parseIn(left) : this.compare(comparison, next.text, left, start);
    if (COMPARISONS.has(cursor.next.text)) refuseAt('syntax', cursor.next.span, 'Comparisons do not chain.');
    return { kind: 'condition', condition, presence: ALWAYS, span: cursor.since(start) };
  }

  private compare(operator: ComparisonName, written: string, left: InfixTerm, start: ForeignToken): Condition {
    const [a, b] = [this.toValue(left), this.toValue(this.parseSum())];
    // `===` converts nothing, and CEL neither.
    if (!this.isStrict && written.length < 3) noteConversions(operator, a, b, isLoose, this.cursor.notes);
    const span = this.cursor.since(start);
    const hasNull = a === NULL_VALUE || b === NULL_VALUE;
    if (hasNull && operator !== '==' && operator !== '!=') refuseAt('null', span, 'Null has no order.');
    return this.isStrict && !hasNull ? compareKnown(operator, a, b, span) : compareLoosely(operator, a, b, LOOSE, span);
  }

  private parseIn(left: InfixTerm): Condition {
    const { cursor } = this;
    const value = this.toValue(left);
    const start = cursor.next;
    if (!cursor.accept('[')) {
      const constant = getConstant(value);
      if (typeof constant !== 'string') refuseAt('list', left.span, '`in` takes a list of literals on the right.');
      return this.test(this.toValue(this.parseSum()), (operand) => containsString(operand, constant));
    }
    const items = parseItems(cursor, start, () => this.parseSum());
    return this.test(value, (operand) => isOneOf(operand, items));
  }
}
