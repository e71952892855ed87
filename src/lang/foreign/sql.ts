import type { ComparisonName } from '../operators/table.ts';
import {
  all,
  type Condition,
  callOf,
  conjunction,
  disjunction,
  isOneOf,
  NO,
  negated,
  notOf,
  twoValued,
} from './conditions.ts';
import { isScopeName, resolveName } from './names.ts';
import { refuseAt } from './refusal.ts';
import { addTerms, describeFunction, readDivisor } from './sql-arithmetic.ts';
import { chooseTerm, coalesceCondition, readDialectCall, refuseSqlFunction } from './sql-calls.ts';
import {
  compareTerms,
  isConverted,
  isInfinity,
  isJson,
  noteText,
  numberOf,
  readJson,
  refuseDoubleQuotes,
  type Term,
  testLike,
  toSqlCondition,
  toStoredValue,
  toValue,
} from './sql-terms.ts';
import { looksLikeDate, readInterval, readMoment } from './times.ts';
import { type ForeignToken, splitTokens, TokenCursor, type TokenRules } from './tokens.ts';
import {
  chooseValue,
  compareKnown,
  computeNumber,
  constantOf,
  describeConversion,
  firstPresent,
  getConstant,
  mapOperands,
  NULL_VALUE,
  noteDigits,
  presentOf,
  testOperands,
  unconditional,
} from './values.ts';

const RULES: TokenRules = {
  comments: /--[^\r\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)/y,
  quotes: {
    "'": { kind: 'string', backslash: false },
    '"': { kind: 'quoted', backslash: false },
    '`': { kind: 'quoted', backslash: false },
  },
  symbols: /<=>|->>|->|<>|!=|<=|>=|==|::|\|\||&&|!~\*?|~\*?/y,
};

const COMPARISONS = new Map<string, ComparisonName>([
  ['=', '=='],
  ['==', '=='],
  ['<>', '!='],
  ['!=', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);

const CLAUSES = ['GROUP', 'ORDER', 'LIMIT', 'OFFSET', 'FETCH', 'QUALIFY', 'WINDOW'];
const OTHER_QUERIES = ['JOIN', 'UNION', 'INTERSECT', 'EXCEPT', 'HAVING', ','];

const INTEGER_TYPES = ['INT', 'INTEGER', 'BIGINT'];
const NUMBER_TYPES = ['NUMERIC', 'DECIMAL', 'FLOAT', 'FLOAT8', 'REAL', 'DOUBLE', ...INTEGER_TYPES];
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

/** Reads the condition of SQL, with or without `WHERE`, or of a whole `SELECT` from one table. */
export function readSql(source: string): { condition: Condition; notes: Set<string> } {
  const cursor = new TokenCursor(splitTokens(source, RULES));
  const parser = new SqlParser(cursor);
  const condition = parser.parseQuery();
  return { condition, notes: cursor.notes };
}

class SqlParser {
  /** The names of the table of the query, in lower case. */
  private readonly tables = new Set<string>();

  constructor(private readonly cursor: TokenCursor) {}

  parseQuery(): Condition {
    const { cursor } = this;
    const isQuery = cursor.sees('SELECT', 'FROM');
    if (cursor.sees('WITH')) refuseAt('query', cursor.next.span, 'Only one SELECT is translated. Pass its condition.');
    if (isQuery) this.skipToWhere();
    else cursor.accept('WHERE');
    const condition = toSqlCondition(this.parseOr());
    if (isQuery && cursor.sees(...CLAUSES)) {
      while (cursor.next.kind !== 'end') {
        if (cursor.sees('UNION', 'INTERSECT', 'EXCEPT', 'HAVING'))
          refuseAt('query', cursor.next.span, 'Only the condition of one SELECT is translated.');
        cursor.take();
      }
    }
    cursor.accept(';');
    if (cursor.next.kind !== 'end') cursor.refuseNext();
    return condition;
  }

  /** Skips the columns, and notes the table and its alias. */
  private skipToWhere(): void {
    const { cursor } = this;
    cursor.notes.add('Only the condition of WHERE is translated.');
    let afterFrom = false;
    while (!cursor.accept('WHERE')) {
      const token = cursor.take();
      if (token.kind === 'end') refuseAt('query', token.span, 'This query has no WHERE.');
      const isFrom = token.kind === 'word' && token.text.toUpperCase() === 'FROM';
      if (afterFrom && (token.text === '(' || OTHER_QUERIES.includes(token.text.toUpperCase())))
        refuseAt('query', token.span, 'Only a query of one table is translated. Pass its condition.');
      if (afterFrom && (token.kind === 'word' || token.kind === 'quoted')) this.tables.add(token.text.toLowerCase());
      afterFrom ||= isFrom;
    }
  }

  private parseOr(): Term {
    return this.parseChain('OR', () => this.parseAnd(), disjunction);
  }

  private parseAnd(): Term {
    return this.parseChain('AND', () => this.parseNot(), conjunction);
  }

  private parseChain(word: string, parse: () => Term, combine: (conditions: readonly Condition[]) => Condition): Term {
    const start = this.cursor.next;
    const first = parse();
    if (!this.cursor.sees(word)) return first;
    const conditions = [toSqlCondition(first)];
    while (this.cursor.accept(word)) conditions.push(toSqlCondition(parse()));
    return { kind: 'condition', condition: combine(conditions), span: this.cursor.since(start) };
  }

  private parseNot(): Term {
    const start = this.cursor.accept('NOT');
    if (start === undefined) return this.parsePredicate();
    if (this.cursor.sees('EXISTS')) refuseAt('query', this.cursor.next.span, 'Subqueries have no translation.');
    const condition = negated(toSqlCondition(this.cursor.nest(() => this.parseNot())));
    return { kind: 'condition', condition, span: this.cursor.since(start) };
  }

  private parsePredicate(): Term {
    const { cursor } = this;
    const start = cursor.next;
    const left = this.parseSum();
    const condition = this.parseTest(left);
    if (condition === undefined) return left;
    if (cursor.next.kind === 'symbol' && COMPARISONS.has(cursor.next.text))
      refuseAt('syntax', cursor.next.span, 'Comparisons do not chain. Join two comparisons with AND.');
    if (cursor.sees('IS', 'IN', 'BETWEEN', 'LIKE'))
      refuseAt(
        'syntax',
        cursor.next.span,
        'Databases group this differently. Put the first comparison in parentheses.',
      );
    return { kind: 'condition', condition, span: cursor.since(start) };
  }

  private parseTest(left: Term): Condition | undefined {
    const { cursor } = this;
    const { next } = cursor;
    const comparison = next.kind === 'symbol' ? COMPARISONS.get(next.text) : undefined;
    if (comparison !== undefined) {
      cursor.take();
      const right = this.parseSum();
      return compareTerms(comparison, left, right, cursor.since({ ...next, span: left.span }), cursor.notes);
    }
    if (cursor.accept('IS')) return this.parseIs(left);
    const isNegated = cursor.sees('NOT') && cursor.accept('NOT') !== undefined;
    const condition = this.parseWordTest(left);
    if (condition === undefined && isNegated) cursor.refuseNext();
    return condition && isNegated ? negated(condition) : condition;
  }

  private parseWordTest(left: Term): Condition | undefined {
    const { cursor } = this;
    const { span } = cursor.next;
    if (cursor.accept('IN')) return this.parseIn(left);
    if (cursor.accept('BETWEEN')) {
      if (cursor.sees('SYMMETRIC')) cursor.refuseNext();
      const low = this.parseSum();
      cursor.expect('AND');
      const high = this.parseSum();
      return conjunction([
        compareTerms('>=', left, low, span, cursor.notes),
        compareTerms('<=', left, high, span, cursor.notes),
      ]);
    }
    if (cursor.accept('LIKE')) {
      const pattern = cursor.take();
      if (pattern.kind === 'quoted') refuseDoubleQuotes(pattern.span);
      if (pattern.kind !== 'string') refuseAt('pattern', pattern.span, 'A pattern must be a string in single quotes.');
      if (cursor.sees('ESCAPE')) refuseAt('pattern', cursor.next.span, 'ESCAPE has no translation.');
      noteText([left], cursor.notes);
      return testLike(toValue(left), pattern.text, pattern.span);
    }
    if (cursor.sees('ILIKE', '~*', '!~*', 'ILIKE'))
      refuseAt(
        'pattern',
        span,
        'onwhere compares strings exactly and cannot ignore case. Write LIKE if the case is known.',
      );
    if (cursor.sees('RLIKE', 'REGEXP', 'SIMILAR', 'GLOB', '~', '!~'))
      refuseAt('pattern', span, 'onwhere has no regular expressions.');
    if (cursor.sees('||', '&&', '<=>', 'XOR', 'OVERLAPS', 'COLLATE', 'AT'))
      refuseAt('operator', span, `\`${cursor.next.text}\` has no translation.`);
    return undefined;
  }

  private parseIs(left: Term): Condition {
    const { cursor } = this;
    const isNegated = cursor.accept('NOT') !== undefined;
    const condition = this.parseIsOperand(left);
    return isNegated ? negated(condition) : condition;
  }

  private parseIsOperand(left: Term): Condition {
    const { cursor } = this;
    if (cursor.accept('NULL')) {
      if (left.kind !== 'condition') return twoValued(notOf(presentOf(toStoredValue(left))));
      return twoValued(all([notOf(left.condition.isTrue), notOf(left.condition.isFalse)]));
    }
    if (cursor.accept('TRUE')) return twoValued(toSqlCondition(left).isTrue);
    if (cursor.accept('FALSE')) return twoValued(toSqlCondition(left).isFalse);
    if (cursor.accept('UNKNOWN')) {
      const { isTrue, isFalse } = toSqlCondition(left);
      return twoValued(all([notOf(isTrue), notOf(isFalse)]));
    }
    const start = cursor.next;
    if (!cursor.accept('DISTINCT')) return cursor.refuseNext();
    cursor.expect('FROM');
    const right = this.parseSum();
    const span = cursor.since(start);
    const isEqual = compareTerms('==', left, right, span, cursor.notes).isTrue;
    const bothMissing = all([notOf(presentOf(toStoredValue(left))), notOf(presentOf(toStoredValue(right)))]);
    return twoValued(notOf(disjunction([twoValued(isEqual), twoValued(bothMissing)]).isTrue));
  }

  private parseIn(left: Term): Condition {
    const { cursor } = this;
    const open = cursor.next;
    if (cursor.sees('UNNEST')) refuseAt('list', open.span, "Write the list in parentheses: IN ('pro', 'team').");
    if (!cursor.accept('(')) refuseAt('syntax', open.span, "IN takes a list in parentheses: IN ('free', 'pro').");
    if (cursor.sees('SELECT', 'WITH')) refuseAt('query', cursor.next.span, 'Subqueries have no translation.');
    const items = this.parseTerms();
    const span = cursor.since(open);
    const constants: (string | number | boolean)[] = [];
    const others: Condition[] = [];
    for (const item of items) {
      if (item.kind === 'value' && item.form === 'null') {
        others.push({ isTrue: NO, isFalse: NO });
        continue;
      }
      if (item.kind === 'value' && item.form === 'double-quoted') refuseDoubleQuotes(item.span);
      const constant = item.kind === 'value' ? getConstant(item.value) : undefined;
      if (item.kind === 'value' && !isJson(left)) noteDigits(item.value, cursor.notes);
      const isDate = typeof constant === 'string' && looksLikeDate(constant) && !isJson(left);
      if (constant === undefined || left.kind === 'moment' || isDate) {
        others.push(compareTerms('==', left, item, item.span, cursor.notes));
      } else constants.push(constant);
    }
    if (!isJson(left) && constants.every(isConverted))
      for (const constant of constants) cursor.notes.add(describeConversion(constant));
    if (new Set(constants.map((constant) => typeof constant)).size > 1)
      refuseAt('type', span, 'This list has values of different types.');
    const value = isJson(left) ? readJson(left, constants, cursor.notes) : toValue(left);
    const isPresent = presentOf(toStoredValue(left));
    const listed = testOperands([value], ({ expression, type }) => {
      if (expression === undefined) return { isTrue: NO, isFalse: NO };
      if (constants.length > 0 && type !== undefined && typeof constants[0] !== type)
        refuseAt('type', span, `This looks for a ${type} in a list of other values.`);
      const isTrue = isOneOf(expression, constants);
      return { isTrue, isFalse: all([isPresent, notOf(isTrue)]) };
    });
    return disjunction(constants.length > 0 ? [listed, ...others] : others);
  }

  private parseCase(): Term {
    const { cursor } = this;
    const start = cursor.take();
    const subject = cursor.sees('WHEN') ? undefined : this.parseOr();
    const cases: (readonly [Condition, Term])[] = [];
    while (cursor.accept('WHEN')) {
      const test = this.parseOr();
      const condition = subject ? compareTerms('==', subject, test, test.span, cursor.notes) : toSqlCondition(test);
      cursor.expect('THEN');
      cases.push([condition, this.parseOr()]);
    }
    if (cases.length === 0) cursor.refuseNext();
    const otherwise = cursor.accept('ELSE') ? this.parseOr() : undefined;
    cursor.expect('END');
    noteText([...cases.map(([, result]) => result), ...(otherwise ? [otherwise] : [])], cursor.notes);
    const span = cursor.since(start);
    return chooseTerm(cases, otherwise, span);
  }

  /** Parses terms up to the closing parenthesis. */
  private parseTerms(): Term[] {
    const terms: Term[] = [];
    if (this.cursor.accept(')')) return terms;
    do terms.push(this.parseOr());
    while (this.cursor.accept(','));
    this.cursor.expect(')');
    return terms;
  }

  private parseSum(): Term {
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
    noteText(terms, cursor.notes);
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
      const value = mapOperands([toValue(first)], ({ expression, type }) => {
        if (type !== undefined && type !== 'number') refuseAt('type', first.span, `${name} takes a number.`);
        return { expression: expression && callOf(operator, expression), type: 'number' };
      });
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
      if (typeof constant === 'number' && !INTEGER_TYPES.includes(name))
        return { kind: 'value', value: constantOf(constant, true), span };
      if (typeof constant === 'string' && isInfinity(constant)) return { ...term, span };
    }
    if (isJson(term) && NUMBER_TYPES.includes(name) && !cursor.sees('(')) {
      cursor.notes.add(
        'Only decimals are numbers here. Databases also cast " 5 " and "NaN", and fail on other strings.',
      );
      if (INTEGER_TYPES.includes(name)) cursor.notes.add(`A number with a fraction is not rounded by ${name} here.`);
      return { kind: 'value', value: numberOf(term), span };
    }
    return refuseAt(
      'function',
      span,
      'Databases convert values in different ways. Compare the property with a value of its type.',
    );
  }
}
