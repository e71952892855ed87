import type { Expression } from '../ast.ts';
import type { ComparisonName } from '../operators/table.ts';
import type { Span } from '../source.ts';
import { takeSteps } from '../steps.ts';
import {
  all,
  type Condition,
  conjunction,
  definedOf,
  disjunction,
  isOneOf,
  NO,
  negated,
  notOf,
  twoValued,
} from './conditions.ts';
import {
  ALWAYS,
  branchCondition,
  branchValue,
  describeMethod,
  firstDefined,
  type InfixTerm,
  LOOSE,
  NUMBERS_NOTE,
  parseItems,
  presenceInScript,
  RULES,
  readLiteral,
  readStringTest,
  readTimestamp,
  STRING_TESTS,
} from './infix-rules.ts';
import { SCRIPT_COMPARISONS as COMPARISONS, compareLoosely, noteLooseness, truthOf } from './loose.ts';
import { resolveName } from './names.ts';
import { refuseAt } from './refusal.ts';
import { containsString, isString, testString } from './strings.ts';
import { TIME_NOTE } from './times.ts';
import { type ForeignToken, splitTokens, TokenCursor } from './tokens.ts';
import {
  compareKnown,
  computeNumber,
  constantOf,
  describeLooseness,
  describeNull,
  type ForeignValue,
  getConstant,
  isAlwaysNumber,
  isFixed,
  isReal,
  LISTS_NOTE,
  NULL_VALUE,
  presentOf,
  testOperands,
  unconditional,
} from './values.ts';

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

class InfixParser {
  /** @param isStrict Whether reading a missing value fails, as in CEL. */
  constructor(
    private readonly cursor: TokenCursor,
    private readonly isStrict: boolean,
  ) {}

  parseTernary(): InfixTerm {
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
    const hasNull = a === NULL_VALUE || b === NULL_VALUE;
    const span = this.cursor.since(start);
    if (!this.isStrict) this.noteScriptComparison(operator, written, a, b, span);
    const isOrder = operator !== '==' && operator !== '!=';
    if (this.isStrict && isOrder && !isFixed(a) && !isFixed(b))
      this.cursor.notes.add('Two booleans have no order here.');
    if (hasNull && isOrder) refuseAt('null', span, 'Null has no order.');
    return this.isStrict && !hasNull ? compareKnown(operator, a, b, span) : compareLoosely(operator, a, b, LOOSE, span);
  }

  /** Notes what JavaScript converts, except by `===`, and what it tells apart by `===`. */
  private noteScriptComparison(
    operator: ComparisonName,
    written: string,
    a: ForeignValue,
    b: ForeignValue,
    span: Span,
  ): void {
    const { notes } = this.cursor;
    if (isFixed(a) && isFixed(b)) return;
    const hasNull = a === NULL_VALUE || b === NULL_VALUE;
    if (written.length < 3) {
      if (!hasNull) noteLooseness('JavaScript', operator, a, b, notes);
      return;
    }
    if ([a, b].every((value) => value.some(({ operand }) => operand.expression === undefined)))
      refuseAt('null', span, 'Compare a property with null or undefined.');
    const isPair = !isFixed(a) && !isFixed(b);
    if (hasNull || isPair) notes.add(describeNull('JavaScript'));
    if (isPair && !hasNull) notes.add(LISTS_NOTE);
  }

  private parseIn(left: InfixTerm): Condition {
    const { cursor } = this;
    const value = this.toValue(left);
    const start = cursor.next;
    if (!cursor.accept('[')) {
      const constant = getConstant(value);
      if (typeof constant !== 'string') refuseAt('list', left.span, '`in` takes a list of literals on the right.');
      const list = this.parseSum();
      cursor.notes.add(`In a string, \`in\` finds a part here. CEL only looks in lists.`);
      return this.test(this.toValue(list), (operand) => containsString(operand, constant), definedOf);
    }
    const items = parseItems(cursor, start, () => this.parseSum());
    return this.test(value, (operand) => isOneOf(operand, items), definedOf);
  }

  /** Parses `["a", "b"].includes(x)`. */
  private parseListMethod(): InfixTerm {
    const { cursor } = this;
    const start = cursor.take();
    const items = parseItems(cursor, start, () => this.parseSum());
    cursor.expect('.');
    const { text, span } = cursor.take();
    if (text !== 'includes') refuseAt('list', span, 'Write ["pro", "team"].includes(plan).');
    cursor.expect('(');
    const value = this.toValue(this.parseTernary());
    cursor.expect(')');
    const condition = this.test(value, (x) => isOneOf(x, items));
    return { kind: 'condition', condition, presence: ALWAYS, span: cursor.since(start) };
  }

  /** Tests a value. With `takes`, the condition is neither true nor false if it is false for the value. */
  private test(
    value: ForeignValue,
    test: (operand: Expression) => Expression,
    takes?: (operand: Expression) => Expression,
  ): Condition {
    return testOperands([value], ({ expression }) => {
      if (takes === undefined) return twoValued(expression === undefined ? NO : test(expression));
      if (expression === undefined) return { isTrue: NO, isFalse: NO };
      const isTrue = test(expression);
      return { isTrue, isFalse: all([takes(expression), notOf(isTrue)]) };
    });
  }

  private parseSum(): InfixTerm {
    return this.parseNumbers(['+', '-'], () => this.parseNumbers(['*', '/', '%'], () => this.parseUnary()));
  }

  private parseNumbers(symbols: readonly string[], parse: () => InfixTerm): InfixTerm {
    const { cursor } = this;
    const start = cursor.next;
    let left = parse();
    for (let token = cursor.accept(...symbols); token; token = cursor.accept(...symbols)) {
      const right = parse();
      const divisor = getConstant(this.toValue(right));
      if ((token.text === '/' || token.text === '%') && !divisor)
        refuseAt('division', right.span, 'Only a division by a number other than 0 is translated.');
      if (token.text === '/' && this.isStrict && !isReal(this.toValue(right)))
        refuseAt('division', right.span, 'CEL cuts the division of integers. Write a decimal point: x / 2.0.');
      const span = cursor.since(start);
      if (token.text === '+' && !this.isStrict && ![left, right].some((term) => isAlwaysNumber(this.toValue(term))))
        cursor.notes.add('`+` is read as the sum of two numbers.');
      left = this.compute(token.text as '+' | '-' | '*' | '/' | '%', this.toValue(left), this.toValue(right), span);
    }
    return left;
  }

  private parseUnary(): InfixTerm {
    const { cursor } = this;
    const start = cursor.accept('!', '-');
    if (start === undefined) return this.parsePostfix();
    const operand = cursor.nest(() => this.parseUnary());
    const span = cursor.since(start);
    if (start.text === '!')
      return { kind: 'condition', condition: negated(this.toCondition(operand)), presence: ALWAYS, span };
    const value = this.toValue(operand);
    const constant = getConstant(value);
    if (typeof constant === 'number') return { kind: 'value', value: constantOf(-constant), span };
    return this.compute('-', constantOf(0), value, span);
  }

  /** Computes with two numbers. JavaScript also converts other values to numbers, and CEL does not mix its two kinds. */
  private compute(
    operator: '+' | '-' | '*' | '/' | '%',
    left: ForeignValue,
    right: ForeignValue,
    span: Span,
  ): InfixTerm {
    if (!isFixed(left) || !isFixed(right))
      this.cursor.notes.add(this.isStrict ? NUMBERS_NOTE : describeLooseness('JavaScript'));
    return { kind: 'value', value: computeNumber(operator, left, right, span), span };
  }

  private parsePostfix(): InfixTerm {
    const { cursor } = this;
    const start = cursor.next;
    let term = this.parsePrimary();
    while (term.kind === 'value' && cursor.sees('.', '?.', '[')) {
      const { text } = cursor.take();
      const part = cursor.take();
      if (part.kind !== (text === '[' ? 'string' : 'word')) refuseAt('name', part.span, 'A name is expected here.');
      if (text === '[') cursor.expect(']');
      if (cursor.sees('(')) return this.parseMethod(term.value, part, start, text === '?.');
      if (term.path === undefined) refuseAt('name', part.span, 'Only a property has parts.');
      if (['length', 'size'].includes(part.text)) refuseAt('function', part.span, 'onwhere cannot measure lengths.');
      term = this.createName([...term.path, part.text], start, cursor.sees('.', '?.', '['));
    }
    return term;
  }

  private parseMethod(
    value: ForeignValue,
    { text, span }: ForeignToken,
    start: ForeignToken,
    isOptional: boolean,
  ): InfixTerm {
    const { cursor } = this;
    cursor.expect('(');
    const test = STRING_TESTS.get(text);
    const argument = test || text === 'matches' ? this.parseTernary() : undefined;
    const constant = argument?.kind === 'value' ? getConstant(argument.value) : undefined;
    const found = readStringTest(text, constant, span);
    cursor.expect(')');
    // Lists of JavaScript have `includes` too.
    const takes = isOptional ? undefined : text === 'includes' ? definedOf : isString;
    const condition = this.test(value, (operand) => testString(found.test, operand, found.text), takes);
    const presence = isOptional ? presenceInScript(value) : ALWAYS;
    return { kind: 'condition', condition, presence, span: cursor.since(start) };
  }

  private parsePrimary(): InfixTerm {
    const { cursor } = this;
    const start = cursor.next;
    const { kind, text, span } = start;
    if (cursor.accept('(')) {
      const inner = this.parseTernary();
      cursor.expect(')');
      return { ...inner, isChain: false, span: cursor.since(start) };
    }
    if (cursor.sees('[') && !this.isStrict) return this.parseListMethod();
    if (cursor.sees('/')) refuseAt('pattern', span, describeMethod('test'));
    if (kind !== 'number' && kind !== 'string' && kind !== 'word') return cursor.refuseNext();
    cursor.take();
    const value = readLiteral(start, cursor.next);
    if (value !== undefined) return { kind: 'value', value, span };
    return cursor.sees('(') ? this.parseCall(start) : this.createName([text], start, cursor.sees('.', '?.', '['));
  }

  private parseCall(start: ForeignToken): InfixTerm {
    const { cursor } = this;
    cursor.expect('(');
    const { text, span } = start;
    if (!['has', 'timestamp'].includes(text)) refuseAt('function', span, describeMethod(text));
    const argument = this.parseTernary();
    cursor.expect(')');
    const [value, whole] = [this.toValue(argument), cursor.since(start)];
    if (text === 'has') return { kind: 'condition', condition: twoValued(presentOf(value)), span: whole };
    cursor.notes.add(TIME_NOTE);
    return { kind: 'value', value: readTimestamp(value, argument.span), span: whole };
  }

  /** Creates a property. A name that goes on is only resolved as a whole. */
  private createName(path: readonly string[], start: ForeignToken, goesOn: boolean): InfixTerm {
    // The path is copied for each of its parts.
    takeSteps(path.length);
    const span = this.cursor.since(start);
    const value =
      goesOn && this.cursor.peek(2).text !== '('
        ? NULL_VALUE
        : unconditional({ expression: resolveName(path, span, true) });
    return { kind: 'value', value, path, span };
  }

  private toValue(term: InfixTerm): ForeignValue {
    return term.kind === 'value' ? term.value : refuseAt('type', term.span, 'A value is needed here, not a condition.');
  }

  toCondition(term: InfixTerm): Condition {
    if (term.kind === 'condition') return term.condition;
    if (!this.isStrict) return truthOf(term.value);
    const constant = getConstant(term.value);
    if (constant !== undefined && typeof constant !== 'boolean')
      refuseAt('type', term.span, 'This is a value. A condition is needed here.');
    // What is neither true nor false fails.
    const equals = (truth: boolean) => compareKnown('==', term.value, constantOf(truth), term.span).isTrue;
    return { isTrue: equals(true), isFalse: equals(false) };
  }
}
