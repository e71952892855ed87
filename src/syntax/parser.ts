import type { Expression, FunctionName, Literal, Scope } from '../language/ast.ts';
import type { Diagnostic } from '../language/diagnostic.ts';
import type { Span } from '../language/source.ts';
import { Fold, type Operand, TooDeep } from './fold.ts';
import { readNumber, readText } from './literal.ts';
import * as T from './token.ts';

/** A text with more mistakes is none that a person mends one by one, and must not cost more than one with few. */
export const MOST_REPORTED = 100;

/** The rules of the grammar that a mistake is explained by. */
type Rule = 'call' | 'list' | 'property';

/** Where the tokens stop being an expression: at which of them, and inside which rule. */
class Stop extends Error {
  constructor(
    readonly index: number,
    readonly rule: Rule | undefined,
  ) {
    super('No expression');
  }
}

/**
 * The grammar of `grammar/onwhere.ebnf`, a method a rule, each decided by the next token; a test compares the two. It builds the
 * tree directly and parses one row of tokens, once.
 */
export class Parser {
  /** What was found wrong without stopping the parser. */
  readonly problems: Diagnostic[] = [];
  /** Where the parser stopped, if it did. */
  stop: Stop | undefined;
  private index = 0;
  private nesting = 0;

  constructor(
    private readonly source: string,
    private readonly tokens: readonly T.Token[],
    private readonly maxDepth: number,
  ) {}

  /**
   * The tree; undefined where the tokens are no expression.
   *
   * @throws {TooDeep} where they exceed the limit before that.
   */
  parse(): Expression | undefined {
    try {
      const { node } = this.expression();
      return this.next === T.End ? node : this.fail();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.stop = error;
      return undefined;
    }
  }

  // expression = unary , { binary-operator , unary | "in" , ( list | unary ) } ;
  private expression(): Operand {
    const fold = new Fold(this.maxDepth, this.report);
    this.unary(fold);
    for (let row = this.next.infix; row !== undefined; row = this.next.infix) {
      const operator = this.take();
      fold.infix(row, operator);
      if (operator.type === T.In && this.next === T.OpenBracket) this.list(fold);
      else this.unary(fold);
    }
    return fold.finish();
  }

  // unary = { prefix-operator } , primary ;
  private unary(fold: Fold): void {
    for (let row = this.next.prefix; row !== undefined; row = this.next.prefix) fold.prefix(row, this.take());
    fold.operand(this.primary());
  }

  // primary = literal | property | call | "now" | "(" , expression , ")" ;
  private primary(): Operand {
    const { next } = this;
    if (next.category === T.Scope) return this.property();
    if (next.category === T.FunctionWord) return this.call();
    if (next === T.Now) return leaf({ kind: 'now', span: T.spanOf(this.take()) });
    if (next !== T.OpenParenthesis) return leaf(this.literal());
    const open = this.take();
    const { node, depth } = this.nested(open);
    return { node, span: across(open, this.expect(T.CloseParenthesis)), depth: depth + 1 };
  }

  // property = scope , "[" , string , "]" ;
  private property(): Operand {
    const scope = this.take();
    this.expect(T.OpenBracket, 'property');
    const text = this.expect(T.Text, 'property');
    const span = across(scope, this.expect(T.CloseBracket, 'property'));
    const name = readText(this.source, text, this.report);
    return leaf({ kind: 'property', scope: scope.type.name as Scope, name, span });
  }

  // call = function , "(" , expression , ")" ;
  private call(): Operand {
    const word = this.take();
    this.expect(T.OpenParenthesis, 'call');
    const { node, depth } = this.nested(word);
    const span = across(word, this.expect(T.CloseParenthesis, 'call'));
    const operator = word.type.name as FunctionName;
    return { node: { kind: 'call', operator, operand: node, span }, span, depth: depth + 1 };
  }

  // literal = string | number | boolean ;
  private literal(rule?: Rule): Literal {
    const { next } = this;
    if (next === T.Text) {
      const span = T.spanOf(this.take());
      return { kind: 'literal', value: readText(this.source, span, this.report), span };
    }
    if (next === T.Numeral) {
      const span = T.spanOf(this.take());
      return { kind: 'literal', value: readNumber(this.source, span, this.report), span };
    }
    if (next.category !== T.BooleanWord) return this.fail(rule);
    return { kind: 'literal', value: next === T.True, span: T.spanOf(this.take()) };
  }

  // list = "[" , [ list-item , { "," , list-item } ] , "]" ;
  private list(fold: Fold): void {
    const items: Literal[] = [];
    const open = this.take();
    if (this.next !== T.CloseBracket) {
      do items.push(this.listItem());
      while (this.skip(T.Comma));
    }
    fold.items(items, across(open, this.expect(T.CloseBracket, 'list')));
  }

  // list-item = string | boolean | [ "-" ] , number ;
  private listItem(): Literal {
    if (this.next !== T.Minus) return this.literal('list');
    const minus = this.take();
    if (this.next !== T.Numeral) return this.fail('list');
    const { value, span } = this.literal();
    // 0 - 0 is 0, where -0 would be negative zero.
    return { kind: 'literal', value: 0 - Number(value), span: { start: minus.start, end: span.end } };
  }

  /** An expression in parentheses, which are a level of nesting. */
  private nested(opening: T.Token): Operand {
    this.nesting++;
    if (this.nesting > this.maxDepth) throw new TooDeep(T.spanOf(opening));
    const inner = this.expression();
    this.nesting--;
    return inner;
  }

  private get next(): T.TokenType {
    return this.tokens[this.index]?.type ?? T.End;
  }

  private take(): T.Token {
    return this.tokens[this.index++] as T.Token;
  }

  private skip(type: T.TokenType): boolean {
    if (this.next !== type) return false;
    this.index++;
    return true;
  }

  private expect(type: T.TokenType, rule?: Rule): T.Token {
    return this.next === type ? this.take() : this.fail(rule);
  }

  private fail(rule?: Rule): never {
    throw new Stop(this.index, rule);
  }

  private readonly report = (diagnostic: Diagnostic) => {
    if (this.problems.length < MOST_REPORTED) this.problems.push(diagnostic);
  };
}

function leaf(node: Expression): Operand {
  return { node, span: node.span, depth: 0 };
}

function across({ start }: T.Token, { end }: T.Token): Span {
  return { start, end };
}
