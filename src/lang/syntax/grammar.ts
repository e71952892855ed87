import { EmbeddedActionsParser, type IRecognitionException, type IToken, type ParserMethod } from 'chevrotain';
import type { Expression, FunctionName, Literal, Scope } from '../ast.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { StrictRow } from '../operators/row.ts';
import type { Span } from '../source.ts';
import { readNumber, readString } from './literal.ts';
import { DepthError, type Operand, OperatorStack } from './precedence.ts';
import * as T from './vocabulary.ts';

/** Nobody fixes more mistakes one by one, and to report them all would be slow. */
export const MAX_REPORTED = 100;

/**
 * The grammar of expressions. `grammar/onwhere.ebnf`, the diagrams and the random sentences of the tests come from it.
 *
 * Its actions build the tree directly. Alternatives and repetitions are fields, so that parsing makes no closures.
 * While Chevrotain records the rules, tokens are not real and rules return nothing: actions that need them are skipped.
 */
export class Grammar extends EmbeddedActionsParser {
  /** The mistakes in the last source that do not keep its tokens from being an expression. */
  problems: readonly Diagnostic[] = NONE;
  /** Where the tokens of the last source stop being an expression, if they do. */
  stop: IRecognitionException | undefined;
  private maxDepth = 0;
  private nesting = 0;

  private readonly report = (diagnostic: Diagnostic) => {
    if (this.problems.length < MAX_REPORTED) this.problems = [...this.problems, diagnostic];
  };

  private readonly operators = new OperatorStack(this.report);

  /** Only tests validate the grammar: it never changes at run time. */
  constructor(skipValidations = true) {
    super([...T.TOKEN_TYPES], { maxLookahead: 1, recoveryEnabled: false, skipValidations });
    this.performSelfAnalysis();
  }

  /**
   * Returns the tree of the tokens, or undefined if they are not an expression: then {@link stop} says where.
   *
   * @throws {DepthError} if the expression exceeds the limit before that, or leaves no room on the stack.
   */
  parse(tokens: T.Token[], maxDepth: number): Expression | undefined {
    this.problems = NONE;
    this.maxDepth = maxDepth;
    this.nesting = 0;
    this.operators.reset(maxDepth);
    this.input = tokens;
    try {
      const operand = this.expression() as Operand | undefined;
      // Unlike an index, `at` never reads what somebody has put on `Object.prototype`.
      this.stop = this.errors.at(0);
      return this.stop === undefined ? operand?.node : undefined;
    } catch (error) {
      throw isStackOverflow(error) ? new DepthError(across(tokens[0] as IToken, tokens.at(-1) as IToken)) : error;
    } finally {
      // The tokens must not stay in memory until the next source is parsed.
      this.input = [];
      this.operators.reset(0);
    }
  }

  private readonly expression: ParserMethod<[], Operand> = this.RULE('expression', () => {
    const around = this.operators.open();
    this.SUBRULE(this.unary);
    this.MANY(this.infixes);
    return this.RECORDING_PHASE ? NOTHING : this.operators.close(around);
  });

  private readonly infixes = () => this.OR(this.infixAlternatives);

  private readonly infixAlternatives = [
    {
      ALT: () => {
        this.infix(this.CONSUME(T.BinaryOperator));
        this.SUBRULE1(this.unary);
      },
    },
    {
      ALT: () => {
        this.infix(this.CONSUME(T.Minus));
        this.SUBRULE2(this.unary);
      },
    },
    {
      ALT: () => {
        this.infix(this.CONSUME(T.In));
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
    if (!this.RECORDING_PHASE) this.operators.operand(operand);
  });

  private readonly prefixes = () => this.OR(this.prefixAlternatives);

  private readonly prefixAlternatives = [
    { ALT: () => this.prefix(this.CONSUME(T.PrefixOperator)) },
    { ALT: () => this.prefix(this.CONSUME(T.Minus)) },
  ];

  private readonly operandAlternatives = [
    { ALT: () => leaf(this.string(this.CONSUME(T.StringLiteral))) },
    { ALT: () => leaf(this.number(this.CONSUME(T.NumberLiteral))) },
    { ALT: () => leaf(boolean(this.CONSUME(T.BooleanWord))) },
    { ALT: () => leaf({ kind: 'now', span: T.getTokenSpan(this.CONSUME(T.NowWord)) }) },
    { ALT: () => this.SUBRULE(this.property) },
    { ALT: () => this.SUBRULE(this.call) },
    {
      ALT: () => {
        const open = this.CONSUME(T.OpenParenthesis);
        this.descend(open);
        const { node, depth } = this.SUBRULE(this.expression);
        this.nesting--;
        return { node, span: across(open, this.CONSUME(T.CloseParenthesis)), depth: depth + 1 };
      },
    },
  ];

  private readonly property = this.RULE('property', (): Operand => {
    const scope = this.CONSUME(T.ScopeWord);
    this.CONSUME(T.OpenBracket);
    const name = this.CONSUME(T.StringLiteral);
    const span = across(scope, this.CONSUME(T.CloseBracket));
    return leaf({ kind: 'property', scope: nameOf(scope) as Scope, name: readString(name, this.report), span });
  });

  private readonly call = this.RULE('call', (): Operand => {
    const word = this.CONSUME(T.FunctionWord);
    this.CONSUME(T.OpenParenthesis);
    this.descend(word);
    const { node, depth } = this.SUBRULE(this.expression);
    this.nesting--;
    const span = across(word, this.CONSUME(T.CloseParenthesis));
    const call = { kind: 'call', operator: nameOf(word) as FunctionName, operand: node, span } as const;
    return { node: call, span, depth: depth + 1 };
  });

  private readonly list = this.RULE('list', () => {
    const items: Literal[] = [];
    const open = this.CONSUME(T.OpenBracket);
    this.MANY_SEP({ SEP: T.Comma, DEF: () => items.push(this.SUBRULE(this.listItem)) });
    const span = across(open, this.CONSUME(T.CloseBracket));
    if (!this.RECORDING_PHASE) this.operators.items(items, span);
  });

  private readonly listItem = this.RULE('listItem', (): Literal => this.OR(this.listItemAlternatives));

  private readonly listItemAlternatives = [
    { ALT: () => this.string(this.CONSUME(T.StringLiteral)) },
    { ALT: () => this.number(this.CONSUME(T.NumberLiteral)) },
    { ALT: () => boolean(this.CONSUME(T.BooleanWord)) },
    {
      ALT: () => {
        const { startOffset } = this.CONSUME(T.Minus);
        const { value, span } = this.number(this.CONSUME1(T.NumberLiteral));
        // 0 - 0 is 0, where -0 would be negative zero.
        return { kind: 'literal' as const, value: 0 - Number(value), span: { start: startOffset, end: span.end } };
      },
    },
  ];

  private prefix(token: IToken): void {
    if (!this.RECORDING_PHASE) this.operators.prefix((token.tokenType as T.TokenType).prefix as StrictRow, token);
  }

  private infix(token: IToken): void {
    if (!this.RECORDING_PHASE) this.operators.infix((token.tokenType as T.TokenType).infix as T.InfixRow, token);
  }

  /** Parentheses are a level of nesting. */
  private descend(opening: IToken): void {
    this.nesting++;
    if (this.nesting > this.maxDepth && !this.RECORDING_PHASE) throw new DepthError(T.getTokenSpan(opening));
  }

  private string(token: IToken): Literal {
    return { kind: 'literal', value: readString(token, this.report), span: T.getTokenSpan(token) };
  }

  private number(token: IToken): Literal {
    return { kind: 'literal', value: readNumber(token, this.report), span: T.getTokenSpan(token) };
  }
}

const NONE: readonly Diagnostic[] = [];

let grammar: Grammar | undefined;

/** The one grammar, made when the first text is parsed: an import that parses nothing need not wait for it. */
export function getGrammar(): Grammar {
  grammar ??= new Grammar();
  return grammar;
}

/** The result of a rule while it is recorded. */
const NOTHING = leaf({ kind: 'now', span: { start: 0, end: 0 } });

function boolean(token: IToken): Literal {
  return { kind: 'literal', value: nameOf(token) === 'true', span: T.getTokenSpan(token) };
}

/** How the language spells a word that the source writes in any case. */
function nameOf({ tokenType }: IToken): string {
  return tokenType.name;
}

function leaf(node: Expression): Operand {
  return { node, span: node.span, depth: 0 };
}

/** Engines raise a `RangeError`, Firefox an `InternalError`. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof Error && ['RangeError', 'InternalError'].includes(error.name);
}

function across(first: IToken, last: IToken): Span {
  return { start: first.startOffset, end: T.getTokenEnd(last) };
}
