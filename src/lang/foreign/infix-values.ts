import { takeSteps } from '../steps.ts';
import { all, type Condition, definedOf, isOneOf, NO, negated, notOf, twoValued } from './conditions.ts';
import {
  ALWAYS,
  describeMethod,
  type InfixTerm,
  parseItems,
  presenceInScript,
  readLiteral,
  readStringTest,
  readTimestamp,
  STRING_TESTS,
} from './infix-rules.ts';
import { truthOf } from './loose.ts';
import { resolveName } from './names.ts';
import { refuseAt } from './refusal.ts';
import { testString } from './strings.ts';
import { TIME_NOTE } from './times.ts';
import type { ForeignToken, TokenCursor } from './tokens.ts';
import {
  compareKnown,
  computeNumber,
  constantOf,
  type ForeignValue,
  getConstant,
  isAlwaysNumber,
  isReal,
  NULL_VALUE,
  presentOf,
  testOperands,
  unconditional,
} from './values.ts';

/** Parses the values of CEL and JavaScript. */
export abstract class InfixValueParser {
  /** @param isStrict Whether reading a missing value fails, as in CEL. */
  constructor(
    protected readonly cursor: TokenCursor,
    protected readonly isStrict: boolean,
  ) {}

  abstract parseTernary(): InfixTerm;

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

  /** Tests a value. `failsIfMissing` says that a missing one makes the condition neither true nor false. */
  protected test(
    value: ForeignValue,
    test: (operand: NonNullable<ForeignValue[0]['operand']['expression']>) => Condition['isTrue'],
    failsIfMissing = this.isStrict,
  ): Condition {
    return testOperands([value], ({ expression }) => {
      if (expression === undefined) return { isTrue: NO, isFalse: NO };
      const isTrue = test(expression);
      return failsIfMissing ? { isTrue, isFalse: all([definedOf(expression), notOf(isTrue)]) } : twoValued(isTrue);
    });
  }

  protected parseSum(): InfixTerm {
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
      const operator = token.text as '+' | '-' | '*' | '/' | '%';
      left = { kind: 'value', value: computeNumber(operator, this.toValue(left), this.toValue(right), span), span };
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
    return { kind: 'value', value: computeNumber('-', constantOf(0), value, span), span };
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
    const condition = this.test(value, (operand) => testString(found.test, operand, found.text), !isOptional);
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

  protected toValue(term: InfixTerm): ForeignValue {
    return term.kind === 'value' ? term.value : refuseAt('type', term.span, 'A value is needed here, not a condition.');
  }

  toCondition(term: InfixTerm): Condition {
    if (term.kind === 'condition') return term.condition;
    if (!this.isStrict) return truthOf(term.value);
    const constant = getConstant(term.value);
    if (constant !== undefined && typeof constant !== 'boolean')
      refuseAt('type', term.span, 'This is a value. A condition is needed here.');
    return compareKnown('==', term.value, constantOf(true), term.span);
  }
}
