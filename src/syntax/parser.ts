import { EmbeddedActionsParser, type IToken, Lexer, type ParserMethod } from 'chevrotain';
import type {
  BinaryName,
  FunctionName,
  Literal,
  LogicalName,
  PrefixName,
  Scope as ScopeName,
} from '../language/ast.ts';
import type { Diagnostic } from '../language/diagnostic.ts';
import { Fold, type Operand, TooDeep } from './fold.ts';
import { readNumber, readText } from './literal.ts';
import * as T from './tokens.ts';

/** A text with more mistakes is none that a person mends one by one, and must not cost more than one with few. */
export const MOST_REPORTED = 100;

/** The grammar of `grammar/onwhere.ebnf`, rule by rule; a test compares the two. Its actions build the tree directly. */
export class Parser extends EmbeddedActionsParser {
  /** What was found wrong without stopping the parser. */
  readonly problems: Diagnostic[] = [];
  maxDepth = 0;
  private nesting = 0;
  private readonly report = (diagnostic: Diagnostic) => {
    if (this.problems.length < MOST_REPORTED) this.problems.push(diagnostic);
  };

  constructor(skipValidations = true) {
    super([...T.TOKENS], { maxLookahead: 1, skipValidations });
    this.performSelfAnalysis();
  }

  /** Parses the tokens; undefined when they are no expression, and then `errors` says where. */
  parse(tokens: IToken[], maxDepth: number): Operand | undefined {
    this.problems.length = 0;
    this.nesting = 0;
    this.maxDepth = maxDepth;
    this.input = tokens;
    return this.expression();
  }

  // expression = unary , { binary-operator , unary | "in" , ( list | unary ) } ;
  private readonly expression: ParserMethod<[], Operand> = this.RULE('expression', () => {
    const fold = this.ACTION(() => new Fold(this.maxDepth, this.report));
    this.SUBRULE(this.unary, { ARGS: [fold] });
    this.MANY(() => {
      this.OR1([
        {
          ALT: () => {
            const operator = this.CONSUME(T.BinaryOperator);
            this.ACTION(() => fold.infix(nameOf(operator) as BinaryName | LogicalName, T.spanOf(operator)));
            this.SUBRULE1(this.unary, { ARGS: [fold] });
          },
        },
        {
          ALT: () => {
            const operator = this.CONSUME(T.In);
            this.ACTION(() => fold.infix('in', T.spanOf(operator)));
            this.OR2([
              { ALT: () => this.SUBRULE(this.list, { ARGS: [fold] }) },
              { ALT: () => this.SUBRULE2(this.unary, { ARGS: [fold] }) },
            ]);
          },
        },
      ]);
    });
    return this.ACTION(() => fold.finish());
  });

  // unary = { prefix-operator } , primary ;
  private readonly unary = this.RULE('unary', (fold: Fold) => {
    this.MANY(() => {
      const operator = this.CONSUME(T.PrefixOperator);
      this.ACTION(() => fold.prefix(nameOf(operator) as PrefixName, T.spanOf(operator)));
    });
    const operand = this.SUBRULE(this.primary);
    this.ACTION(() => fold.operand(operand));
  });

  // primary = literal | property | call | "now" | "(" , expression , ")" ;
  private readonly primary: ParserMethod<[], Operand> = this.RULE('primary', () =>
    this.OR([
      { ALT: () => leaf(this.SUBRULE(this.literal)) },
      { ALT: () => this.SUBRULE(this.property) },
      { ALT: () => this.SUBRULE(this.call) },
      { ALT: () => leaf({ kind: 'now', span: T.spanOf(this.CONSUME(T.Now)) }) },
      {
        ALT: () => {
          const open = this.CONSUME(T.OpenParenthesis);
          this.descend(open);
          const inner = this.SUBRULE(this.expression);
          const close = this.CONSUME(T.CloseParenthesis);
          this.ascend();
          return this.ACTION(() => ({ node: inner.node, span: across(open, close), depth: inner.depth + 1 }));
        },
      },
    ]),
  );

  // property = scope , "[" , string , "]" ;
  private readonly property = this.RULE('property', (): Operand => {
    const scope = this.CONSUME(T.Scope);
    this.CONSUME(T.OpenBracket);
    const name = this.CONSUME(T.Text);
    const close = this.CONSUME(T.CloseBracket);
    return this.ACTION(() =>
      leaf({
        kind: 'property',
        scope: nameOf(scope) as ScopeName,
        name: readText(name.image, name.startOffset, this.report),
        span: across(scope, close),
      }),
    );
  });

  // call = function , "(" , expression , ")" ;
  private readonly call = this.RULE('call', (): Operand => {
    const word = this.CONSUME(T.FunctionWord);
    this.CONSUME(T.OpenParenthesis);
    this.descend(word);
    const operand = this.SUBRULE(this.expression);
    const close = this.CONSUME(T.CloseParenthesis);
    this.ascend();
    return this.ACTION(() => {
      const span = across(word, close);
      const operator = nameOf(word) as FunctionName;
      return { node: { kind: 'call', operator, operand: operand.node, span }, span, depth: operand.depth + 1 };
    });
  });

  // literal = string | number | boolean ;
  private readonly literal = this.RULE(
    'literal',
    (): Literal =>
      this.OR([
        { ALT: () => this.text(this.CONSUME(T.Text)) },
        { ALT: () => this.number(this.CONSUME(T.Numeral)) },
        { ALT: () => boolean(this.CONSUME(T.BooleanWord)) },
      ]),
  );

  // list = "[" , [ list-item , { "," , list-item } ] , "]" ;
  private readonly list = this.RULE('list', (fold: Fold) => {
    const items: Literal[] = [];
    const open = this.CONSUME(T.OpenBracket);
    this.OPTION(() => {
      items.push(this.SUBRULE(this.listItem));
      this.MANY(() => {
        this.CONSUME(T.Comma);
        items.push(this.SUBRULE1(this.listItem));
      });
    });
    const close = this.CONSUME(T.CloseBracket);
    this.ACTION(() => fold.items(items, across(open, close)));
  });

  // list-item = string | boolean | [ "-" ] , number ;
  private readonly listItem = this.RULE(
    'listItem',
    (): Literal =>
      this.OR([
        { ALT: () => this.text(this.CONSUME(T.Text)) },
        { ALT: () => boolean(this.CONSUME(T.BooleanWord)) },
        {
          ALT: () => {
            const minus = this.OPTION(() => this.CONSUME(T.Minus));
            const number = this.number(this.CONSUME(T.Numeral));
            return minus ? negative(minus, number) : number;
          },
        },
      ]),
  );

  private descend(token: IToken): void {
    this.ACTION(() => {
      this.nesting++;
      if (this.nesting > this.maxDepth) throw new TooDeep(T.spanOf(token));
    });
  }

  private ascend(): void {
    this.ACTION(() => {
      this.nesting--;
    });
  }

  private text(token: IToken): Literal {
    return { kind: 'literal', value: readText(token.image, token.startOffset, this.report), span: T.spanOf(token) };
  }

  private number(token: IToken): Literal {
    return { kind: 'literal', value: readNumber(token.image, token.startOffset, this.report), span: T.spanOf(token) };
  }
}

/** The name that the tree uses: words are written in any case. */
function nameOf(token: IToken): string {
  return token.tokenType.name;
}

function leaf(node: Operand['node']): Operand {
  return { node, span: node.span, depth: 0 };
}

function boolean(token: IToken): Literal {
  return { kind: 'literal', value: nameOf(token) === 'true', span: T.spanOf(token) };
}

function negative(minus: IToken, { value, span }: Literal): Literal {
  // 0 - 0 is 0, where -0 would be negative zero.
  return { kind: 'literal', value: 0 - Number(value), span: { start: minus.startOffset, end: span.end } };
}

function across(first: IToken, last: IToken): { start: number; end: number } {
  return { start: first.startOffset, end: T.spanOf(last).end };
}

let lexer: Lexer | undefined;
let parser: Parser | undefined;

/** Built at first use: an import that parses nothing costs nothing. */
export function theLexer(): Lexer {
  lexer ??= new Lexer([...T.TOKENS], { positionTracking: 'onlyOffset', skipValidations: true });
  return lexer;
}

/** Built at first use too, and validated in tests only. */
export function theParser(): Parser {
  parser ??= new Parser();
  return parser;
}
