/** The right side of a rule. `rule` refers to a rule by name; `special` is what EBNF leaves to words. */
export type Ebnf =
  | { readonly kind: 'terminal'; readonly text: string }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'special'; readonly text: string }
  | { readonly kind: 'sequence'; readonly items: readonly Ebnf[] }
  | { readonly kind: 'choice'; readonly items: readonly Ebnf[] }
  | { readonly kind: 'optional'; readonly item: Ebnf }
  | { readonly kind: 'repetition'; readonly item: Ebnf }
  | { readonly kind: 'exception'; readonly item: Ebnf; readonly except: Ebnf };

/** The rules by name, in the order in which they are written. */
export type Grammar = ReadonlyMap<string, Ebnf>;

const COMMENT = /\(\*[\s\S]*?\*\)/g;
const TOKEN = new RegExp(
  [
    /(?<terminal>"[^"]+"|'[^']+')/,
    /\?(?<special>[^?]+)\?/,
    /(?<name>[A-Za-z](?:-?[A-Za-z0-9])*)/,
    /(?<count>[0-9]+)\s*\*/,
    /(?<mark>[=,|;()[\]{}-])/,
  ]
    .map(({ source }) => `\\s*${source}\\s*`)
    .join('|'),
  'y',
);

/**
 * Reads a grammar in the notation of ISO/IEC 14977, with hyphens in the names of rules. `4 * digit` is four in a row.
 *
 * @throws {SyntaxError} that says where the text is no grammar.
 */
export function readEbnf(text: string): Grammar {
  return new Reader(text.replace(COMMENT, (comment) => ' '.repeat(comment.length))).grammar();
}

/** Several in a row; one stands for itself. */
export function sequence(items: readonly Ebnf[]): Ebnf {
  return group('sequence', items);
}

/** One of several; one stands for itself. */
function choice(items: readonly Ebnf[]): Ebnf {
  return group('choice', items);
}

function group(kind: 'sequence' | 'choice', items: readonly Ebnf[]): Ebnf {
  const flat = items.flatMap((item) => (item.kind === kind ? item.items : [item]));
  const [only] = flat;
  return only !== undefined && flat.length === 1 ? only : { kind, items: flat };
}

type TokenKind = 'terminal' | 'special' | 'name' | 'count' | 'mark';

class Reader {
  private end = 0;
  private groups: Partial<Record<TokenKind, string>> = {};

  constructor(private readonly text: string) {
    this.advance();
  }

  grammar(): Grammar {
    const rules = new Map<string, Ebnf>();
    while (this.groups.name !== undefined) {
      const name = this.take('name');
      if (rules.has(name)) throw new SyntaxError(`There are two rules ${name}`);
      this.expect('=');
      rules.set(name, this.choice());
      this.expect(';');
    }
    if (this.end < this.text.length) this.fail('a rule');
    return rules;
  }

  private choice(): Ebnf {
    const items = [this.sequence()];
    while (this.skip('|')) items.push(this.sequence());
    return choice(items);
  }

  private sequence(): Ebnf {
    const items = this.factor();
    while (this.skip(',')) items.push(...this.factor());
    return sequence(items);
  }

  private factor(): Ebnf[] {
    const count = this.groups.count === undefined ? 1 : Number(this.take('count'));
    const item = this.primary();
    const counted: Ebnf = this.skip('-') ? { kind: 'exception', item, except: this.primary() } : item;
    return Array.from({ length: count }, () => counted);
  }

  private primary(): Ebnf {
    if (this.groups.terminal !== undefined) return { kind: 'terminal', text: this.take('terminal').slice(1, -1) };
    if (this.groups.special !== undefined) return { kind: 'special', text: this.take('special').trim() };
    if (this.groups.name !== undefined) return { kind: 'rule', name: this.take('name') };
    if (this.skip('(')) return this.closed(')');
    if (this.skip('[')) return { kind: 'optional', item: this.closed(']') };
    if (this.skip('{')) return { kind: 'repetition', item: this.closed('}') };
    return this.fail('a terminal, a name or a bracket');
  }

  private closed(mark: string): Ebnf {
    const inner = this.choice();
    this.expect(mark);
    return inner;
  }

  private take(kind: TokenKind): string {
    const taken = this.groups[kind] ?? this.fail(kind);
    this.advance();
    return taken;
  }

  private skip(mark: string): boolean {
    if (this.groups.mark !== mark) return false;
    this.advance();
    return true;
  }

  private expect(mark: string): void {
    if (!this.skip(mark)) this.fail(mark);
  }

  private advance(): void {
    TOKEN.lastIndex = this.end;
    const match = TOKEN.exec(this.text);
    this.groups = match?.groups ?? {};
    this.end = match === null ? this.end : TOKEN.lastIndex;
  }

  private fail(expected: string): never {
    const line = this.text.slice(0, this.end).split('\n').length;
    throw new SyntaxError(`The grammar needs ${expected} in or before line ${line}`);
  }
}
