import { callOf, YES } from './conditions.ts';
import { isScopeName, resolveName } from './names.ts';
import { refuseAt } from './refusal.ts';
import { addTerms, describeFunction, readDivisor } from './sql-arithmetic.ts';
import { coalesceCondition, readDialectCall, refuseSqlFunction } from './sql-calls.ts';
import { compareTerms, isInfinity, type Term, toValue } from './sql-terms.ts';
import { readInterval, readMoment } from './times.ts';
import type { ForeignToken, TokenCursor } from './tokens.ts';
import {
  chooseValue,
  compareKnown,
  computeNumber,
  constantOf,
  firstPresent,
  getConstant,
  mapOperands,
  NULL_VALUE,
  unconditional,
} from './values.ts';

const NUMBER_TYPES = ['NUMERIC', 'DECIMAL', 'FLOAT', 'FLOAT8', 'REAL', 'DOUBLE', 'INT', 'INTEGER', 'BIGINT'];
const TIME_TYPES = ['DATE', 'TIMESTAMP', 'TIMESTAMPTZ', 'DATETIME'];
/** Words that end a value, so that they are never columns. */
const RESERVED = [
  'AND',
  'OR',
  'NOT',
  'IN',
  'IS',
  'BETWEEN',
  'LIKE',
  'ILIKE',
  'WHEN',
  'THEN',
  'ELSE',
  'END',
  'FROM',
  'WHERE',
  'SELECT',
  'GROUP',
  'ORDER',
  'LIMIT',
];

/** Parses the values of SQL. */
export abstract class SqlValueParser {
  /** The names of the table of the query, in lower case. */
  protected readonly tables = new Set<string>();

  constructor(protected readonly cursor: TokenCursor) {}

  protected abstract parseOr(): Term;
  protected abstract parseCase(): Term;

  /** Parses terms up to the closing parenthesis. */
  protected parseTerms(): Term[] {
    const terms: Term[] = [];
    if (this.cursor.accept(')')) return terms;
    do terms.push(this.parseOr());
    while (this.cursor.accept(','));
    this.cursor.expect(')');
    return terms;
  }

  protected parseSum(): Term {
    const start = this.cursor.next;
    let left = this.parseProduct();
    for (let token = this.cursor.accept('+', '-'); token; token = this.cursor.accept('+', '-')) {
      left = addTerms(token.text as '+' | '-', left, this.parseProduct(), this.cursor.since(start));
    }
    return left;
  }

  private parseProduct(): Term {
    const start = this.cursor.next;
    let left = this.parseUnary();
    for (let token = this.cursor.accept('*', '/', '%'); token; token = this.cursor.accept('*', '/', '%')) {
      const right = this.parseUnary();
      const span = this.cursor.since(start);
      const factor = token.text === '*' ? toValue(right) : readDivisor(token.text, left, right);
      const value = computeNumber(token.text as '*' | '/' | '%', toValue(left), factor, span);
      left = { kind: 'value', value, span };
    }
    return left;
  }

  private parseUnary(): Term {
    const { cursor } = this;
    const start = cursor.accept('-', '+');
    if (start === undefined) return this.parsePostfix();
    const operand = cursor.nest(() => this.parseUnary());
    if (start.text === '+') return operand;
    const value = toValue(operand);
    const constant = getConstant(value);
    const span = cursor.since(start);
    if (typeof constant === 'number') {
      return { kind: 'value', value: constantOf(-constant, value[0]?.operand.isReal), span };
    }
    return { kind: 'value', value: computeNumber('-', constantOf(0), value, span), span };
  }

  private parsePostfix(): Term {
    const { cursor } = this;
    const start = cursor.next;
    let term = cursor.nest(() => this.parsePrimary());
    while (cursor.accept('::')) term = this.castTo(cursor.take(), term, start);
    if (cursor.sees('||', '->')) refuseAt('operator', cursor.next.span, `\`${cursor.next.text}\` has no translation.`);
    return term;
  }

  private parsePrimary(): Term {
    const { cursor } = this;
    const start = cursor.next;
    const { kind, text, span } = start;
    const word = text.toUpperCase();
    if (kind === 'number') {
      cursor.take();
      const number = Number(text);
      if (!Number.isFinite(number)) refuseAt('type', span, 'This number is too large.');
      if (cursor.next.kind === 'word' && cursor.next.span.start === span.end) cursor.refuseNext();
      return { kind: 'value', value: constantOf(number, !/^\d+$/.test(text)), span };
    }
    if (kind === 'string') {
      cursor.take();
      return { kind: 'value', value: constantOf(text), span };
    }
    if (cursor.accept('(')) {
      if (cursor.sees('SELECT')) refuseAt('query', cursor.next.span, 'Subqueries have no translation.');
      const inner = this.parseOr();
      cursor.expect(')');
      return { ...inner, span: cursor.since(start) };
    }
    if (kind === 'quoted' || text === '[') return this.parseName();
    if (kind !== 'word' || RESERVED.includes(word)) return cursor.refuseNext();
    if (word === 'CASE') return this.parseCase();
    if (word === 'EXISTS') refuseAt('query', span, 'Subqueries have no translation.');
    return this.parseConstantWord(word, start) ?? (cursor.peek(1).text === '(' ? this.parseCall() : this.parseName());
  }

  private parseConstantWord(word: string, start: ForeignToken): Term | undefined {
    const { cursor } = this;
    const { span } = start;
    const isBeforeString = cursor.peek(1).kind === 'string';
    if (word === 'TRUE' || word === 'FALSE') {
      cursor.take();
      return { kind: 'value', value: constantOf(word === 'TRUE'), span };
    }
    if (word === 'NULL') {
      cursor.take();
      return { kind: 'value', value: NULL_VALUE, form: 'null', span };
    }
    if (word === 'CURRENT_TIMESTAMP') {
      cursor.take();
      if (cursor.accept('(')) cursor.expect(')');
      return { kind: 'moment', moment: { base: 'now', seconds: 0 }, span };
    }
    if (word === 'CURRENT_DATE')
      refuseAt('time', span, "Days depend on a time zone. Write a date, or NOW() - INTERVAL '1 day'.");
    if (TIME_TYPES.includes(word) && isBeforeString) {
      cursor.take();
      const { text } = cursor.take();
      return { kind: 'moment', moment: readMoment(text, cursor.since(start)), span: cursor.since(start) };
    }
    if (word !== 'INTERVAL' || !(isBeforeString || cursor.peek(1).kind === 'number')) return undefined;
    cursor.take();
    const { text } = cursor.take();
    const [, amount = '', unit = ''] = /^\s*(-?\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*$/.exec(text) ?? [];
    const written = unit === '' && cursor.next.kind === 'word' ? cursor.take().text : unit;
    const seconds = readInterval(Number(amount), written, cursor.since(start));
    return { kind: 'interval', seconds, span: cursor.since(start) };
  }

  private parseCall(): Term {
    const { cursor } = this;
    const start = cursor.take();
    const name = start.text.toUpperCase();
    refuseSqlFunction(name, start.span);
    cursor.expect('(');
    if (name === 'CAST' || name === 'TRY_CAST') {
      const term = this.parseOr();
      cursor.expect('AS');
      const type = cursor.take();
      const cast = this.castTo(type, term, start);
      cursor.expect(')');
      return { ...cast, span: cursor.since(start) };
    }
    const terms = this.parseTerms();
    const span = cursor.since(start);
    const orNull = (term: Term) => (term.kind === 'value' && term.form === 'null' ? NULL_VALUE : toValue(term));
    if (name === 'NOW' && terms.length === 0) return { kind: 'moment', moment: { base: 'now', seconds: 0 }, span };
    if (name === 'COALESCE' && terms[0]?.kind === 'condition') return coalesceCondition(terms, span);
    if (['COALESCE', 'IFNULL', 'NVL'].includes(name) && terms.length > 1)
      return { kind: 'value', value: firstPresent(terms.map(orNull)), span };
    const [first, second] = terms;
    if (name === 'NULLIF' && first && second && terms.length === 2) {
      const left = toValue(first);
      const isZero = second.kind === 'value' && getConstant(second.value) === 0;
      // People write `nullif(x, 0)` to divide by x, so x is not a boolean.
      const isSame = isZero
        ? compareKnown('==', left, second.value, span)
        : compareTerms('==', first, second, span, cursor.notes);
      const value = chooseValue([[isSame, NULL_VALUE]], left);
      return { kind: 'value', value, span, ...(isZero && { divisor: left }) };
    }
    if (['FLOOR', 'CEIL', 'CEILING'].includes(name) && first && terms.length === 1) {
      const operator = name === 'FLOOR' ? 'floor' : 'ceil';
      const value = mapOperands([toValue(first)], ({ expression }) => ({
        expression: expression && callOf(operator, expression),
        type: 'number',
      }));
      return { kind: 'value', value, span };
    }
    return readDialectCall(name, terms, span) ?? refuseAt('function', start.span, describeFunction(start.text));
  }

  /** Parses a name with dots, quotes, brackets and `->>`. */
  private parseName(): Term {
    const { cursor } = this;
    const start = cursor.next;
    this.checkPlaceholder(start);
    const path = [this.parseNamePart()];
    while (cursor.accept('.')) path.push(this.parseNamePart());
    let form: 'double-quoted' | 'json' | undefined =
      start.kind === 'quoted' && path.length === 1 ? 'double-quoted' : undefined;
    if (isScopeName(path.at(-1) as string) && cursor.sees('[', '->>')) {
      const isBracket = cursor.take().text === '[';
      const { kind, text } = cursor.next;
      if (kind !== 'string' && !(isBracket && kind === 'quoted')) cursor.refuseNext();
      cursor.take();
      path.push(text);
      if (isBracket) cursor.expect(']');
      else form = 'json';
    }
    const span = cursor.since(start);
    if (path.length > 1 && this.tables.has((path[0] as string).toLowerCase())) path.shift();
    const value = unconditional({ expression: resolveName(path, span, false) });
    return { kind: 'value', value, span, ...(form !== undefined && { form }) };
  }

  /** Programs pass values for `$1`, `@name` and, in some databases, `$name`. */
  private checkPlaceholder({ kind, text, span }: ForeignToken): void {
    if (kind !== 'word') return;
    if (/^(?:@|\$(?:\d|\$|$))/.test(text))
      refuseAt('name', span, `${text} is a placeholder, whose value is not known. Write the value.`);
    if (text.startsWith('$'))
      this.cursor.notes.add(`${text} is read as a property. If it is a placeholder, write its value.`);
  }

  private parseNamePart(): string {
    const { cursor } = this;
    const isBracket = cursor.accept('[') !== undefined;
    const { kind, text } = cursor.next;
    if (kind !== 'word' && kind !== 'quoted') cursor.refuseNext();
    cursor.take();
    if (isBracket) cursor.expect(']');
    return text;
  }

  private castTo(type: ForeignToken, term: Term, start: ForeignToken): Term {
    const { cursor } = this;
    const name = type.text.toUpperCase();
    if (name === 'DOUBLE') cursor.accept('PRECISION');
    const span = cursor.since(start);
    const constant = term.kind === 'value' ? getConstant(term.value) : undefined;
    if (TIME_TYPES.includes(name) && typeof constant === 'string')
      return { kind: 'moment', moment: readMoment(constant, span), span };
    // Casts of literals to their own type, as programs write them.
    if (typeof constant === 'string' && ['TEXT', 'VARCHAR', 'STRING'].includes(name)) return { ...term, span };
    if (NUMBER_TYPES.includes(name) && !cursor.sees('(')) {
      if (typeof constant === 'number' && !/^(?:INT|INTEGER|BIGINT)$/.test(name))
        return { kind: 'value', value: constantOf(constant, true), span };
      if (typeof constant === 'string' && isInfinity(constant)) return { ...term, span };
    }
    const isJsonNumber = term.kind === 'value' && term.form === 'json' && NUMBER_TYPES.includes(name);
    if (isJsonNumber && !cursor.sees('('))
      return {
        kind: 'value',
        value: [
          {
            when: YES,
            operand: { ...term.value[0]?.operand, type: 'number', expression: term.value[0]?.operand.expression },
          },
        ],
        span,
      };
    return refuseAt(
      'function',
      span,
      'Databases convert values in different ways. Compare the property with a value of its type.',
    );
  }
}
