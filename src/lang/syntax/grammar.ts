import { EmbeddedActionsParser, type IRecognitionException, type IToken, type ParserMethod } from 'chevrotain';
import type { Expression, FunctionName, Literal, Scope } from '../ast.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { StrictRow } from '../operators/row.ts';
import type { Span } from '../source.ts';
import { readNumber, readString } from './literal.ts';
import { DepthError, type Operand, OperatorStack } from './precedence.ts';
import * as T from './vocabulary.ts';

/** A list of more mistakes helps no reader, and reporting all of them would be slow. */
export const MAX_REPORTED = 100;

/** The result of parsing tokens. */
export interface ParseResult {
  /** Undefined if the tokens are not an expression. */
  readonly tree: Expression | undefined;
  /** The mistakes inside literals and operators, which the grammar itself accepts. */
  readonly problems: readonly Diagnostic[];
  /** The exception at the token where the source stopped being an expression, if it did. */
  readonly stop: IRecognitionException | undefined;
}

/**
 * The grammar of expressions. `grammar/onwhere.ebnf`, the diagrams and the random sentences of the tests come from it.
 *
 * Its actions build the tree directly. Alternatives and repetitions are fields, so that parsing creates no closures.
 * While Chevrotain records the rules, tokens are not real and rules return nothing, so actions that need them are
 * skipped.
 */
export class Grammar extends EmbeddedActionsParser {
  private problems: readonly Diagnostic[] = NONE;
  private maxDepth = 0;
  private nesting = 0;

  private readonly report = (diagnostic: Diagnostic) => {
    if (this.problems.length < MAX_REPORTED) this.problems = [...this.problems, diagnostic];
  };

  private readonly operators = new OperatorStack(this.report);

  /** @param skipValidations Tests pass false to validate the grammar, which never changes at run time. */
  constructor(skipValidations = true) {
    super([...T.TOKEN_TYPES], { maxLookahead: 1, recoveryEnabled: false, skipValidations });
    this.performSelfAnalysis();
  }

  /**
   * Parses tokens.
   *
   * @throws {DepthError} if the expression exceeds the limit before that, or overflows the stack.
   */
  parse(tokens: T.Token[], maxDepth: number): ParseResult {
    this.problems = NONE;
    this.maxDepth = maxDepth;
    this.nesting = 0;
    this.operators.reset(maxDepth);
    this.input = tokens;
    try {
      const operand = this.expression() as Operand | undefined;
      // Unlike an index, `at` never reads a property that a script has added to `Object.prototype`.
      const stop = this.errors.at(0);
      return { tree: stop === undefined ? operand?.node : undefined, problems: this.problems, stop };
    } catch (error) {
      throw isStackOverflow(error) ? new DepthError(createSpan(tokens[0] as IToken, tokens.at(-1) as IToken)) : error;
    } finally {
      // The tokens must not stay in memory until the next source is parsed.
      this.input = [];
      this.operators.reset(0);
    }
  }

  private readonly expression: ParserMethod<[], Operand> = this.RULE('expression', () => {
    const outer = this.operators.open();
    this.SUBRULE(this.unary);
    this.MANY(this.infixes);
    return this.RECORDING_PHASE ? NOTHING : this.operators.close(outer);
  });

  private readonly infixes = () => this.OR(this.infixAlternatives);

  private readonly infixAlternatives = [
    {
      ALT: () => {
        this.addInfix(this.CONSUME(T.BinaryOperator));
        this.SUBRULE1(this.unary);
      },
    },
    {
      ALT: () => {
        this.addInfix(this.CONSUME(T.Minus));
        this.SUBRULE2(this.unary);
      },
    },
    {
      ALT: () => {
        this.addInfix(this.CONSUME(T.In));
        this.OR1(this.searchedAlternatives);
      },
    },
  ];

  private readonly searchedAlternatives = [
    { ALT: () => this.SUBRULE(this.list) },
    { ALT: () => this.SUBRULE3(this.unary) },
  ];

  private readonly unary = this.RULE('unary', () => {
    this.MANY(this.prefixes);
    const operand: Operand = this.OR1(this.operandAlternatives);
    if (!this.RECORDING_PHASE) this.operators.addOperand(operand);
  });

  private readonly prefixes = () => this.OR(this.prefixAlternatives);

  private readonly prefixAlternatives = [
    { ALT: () => this.addPrefix(this.CONSUME(T.PrefixOperator)) },
    { ALT: () => this.addPrefix(this.CONSUME(T.Minus)) },
  ];

  private readonly operandAlternatives = [
    { ALT: () => toLeaf(this.createString(this.CONSUME(T.StringLiteral))) },
    { ALT: () => toLeaf(this.createNumber(this.CONSUME(T.NumberLiteral))) },
    { ALT: () => toLeaf(createBoolean(this.CONSUME(T.BooleanWord))) },
    { ALT: () => toLeaf({ kind: 'now', span: T.getTokenSpan(this.CONSUME(T.NowWord)) }) },
    { ALT: () => this.SUBRULE(this.property) },
    { ALT: () => this.SUBRULE(this.call) },
    {
      ALT: () => {
        const open = this.CONSUME(T.OpenParenthesis);
        this.descend(open);
        const { node, depth } = this.SUBRULE(this.expression);
        this.nesting--;
        return { node, span: createSpan(open, this.CONSUME(T.CloseParenthesis)), depth: depth + 1 };
      },
    },
  ];

  private readonly property = this.RULE('property', (): Operand => {
    const scope = this.CONSUME(T.ScopeWord);
    this.CONSUME(T.OpenBracket);
    const name = this.CONSUME(T.StringLiteral);
    const span = createSpan(scope, this.CONSUME(T.CloseBracket));
    return toLeaf({ kind: 'property', scope: getName(scope) as Scope, name: readString(name, this.report), span });
  });

  private readonly call = this.RULE('call', (): Operand => {
    const word = this.CONSUME(T.FunctionWord);
    this.CONSUME(T.OpenParenthesis);
    this.descend(word);
    const { node, depth } = this.SUBRULE(this.expression);
    this.nesting--;
    const span = createSpan(word, this.CONSUME(T.CloseParenthesis));
    const call = { kind: 'call', operator: getName(word) as FunctionName, operand: node, span } as const;
    return { node: call, span, depth: depth + 1 };
  });

  private readonly list = this.RULE('list', () => {
    const items: Literal[] = [];
    const open = this.CONSUME(T.OpenBracket);
    this.MANY_SEP({ SEP: T.Comma, DEF: () => items.push(this.SUBRULE(this.listItem)) });
    const span = createSpan(open, this.CONSUME(T.CloseBracket));
    if (!this.RECORDING_PHASE) this.operators.addList(items, span);
  });

  private readonly listItem = this.RULE('listItem', (): Literal => this.OR(this.listItemAlternatives));

  private readonly listItemAlternatives = [
    { ALT: () => this.createString(this.CONSUME(T.StringLiteral)) },
    { ALT: () => this.createNumber(this.CONSUME(T.NumberLiteral)) },
    { ALT: () => createBoolean(this.CONSUME(T.BooleanWord)) },
    {
      ALT: () => {
        const { startOffset } = this.CONSUME(T.Minus);
        const { value, span } = this.createNumber(this.CONSUME1(T.NumberLiteral));
        // 0 - 0 is 0, but -0 would be negative zero.
        return { kind: 'literal' as const, value: 0 - Number(value), span: { start: startOffset, end: span.end } };
      },
    },
  ];

  private addPrefix(token: IToken): void {
    if (!this.RECORDING_PHASE) this.operators.addPrefix((token.tokenType as T.TokenType).prefix as StrictRow, token);
  }

  private addInfix(token: IToken): void {
    if (!this.RECORDING_PHASE) this.operators.addInfix((token.tokenType as T.TokenType).infix as T.InfixRow, token);
  }

  /** Counts a parenthesis as a level of nesting. */
  private descend(opening: IToken): void {
    this.nesting++;
    if (this.nesting > this.maxDepth && !this.RECORDING_PHASE) throw new DepthError(T.getTokenSpan(opening));
  }

  private createString(token: IToken): Literal {
    return { kind: 'literal', value: readString(token, this.report), span: T.getTokenSpan(token) };
  }

  private createNumber(token: IToken): Literal {
    return { kind: 'literal', value: readNumber(token, this.report), span: T.getTokenSpan(token) };
  }
}

const NONE: readonly Diagnostic[] = [];

let grammar: Grammar | undefined;

/** Returns the grammar, created on first use, so that importing the module stays cheap. */
export function getGrammar(): Grammar {
  grammar ??= new Grammar();
  return grammar;
}

/** The result of a rule while Chevrotain records it. */
const NOTHING = toLeaf({ kind: 'now', span: { start: 0, end: 0 } });

function createBoolean(token: IToken): Literal {
  return { kind: 'literal', value: getName(token) === 'true', span: T.getTokenSpan(token) };
}

/** Returns the canonical spelling of a word, which the source can write in any case. */
function getName({ tokenType }: IToken): string {
  return tokenType.name;
}

function toLeaf(node: Expression): Operand {
  return { node, span: node.span, depth: 0 };
}

/** Firefox raises an `InternalError`, other engines a `RangeError`. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && ['RangeError', 'InternalError'].includes(error.name);
}

function createSpan(first: IToken, last: IToken): Span {
  return { start: first.startOffset, end: T.getTokenEnd(last) };
}
