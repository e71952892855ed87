import type { ComparisonName } from '../operators/table.ts';
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
import { refuseAt } from './refusal.ts';
import { chooseTerm } from './sql-calls.ts';
import {
  compareTerms,
  isConverted,
  isJson,
  refuseDoubleQuotes,
  type Term,
  testLike,
  textOf,
  toSqlCondition,
  toValue,
} from './sql-terms.ts';
import { SqlValueParser } from './sql-values.ts';
import { looksLikeDate } from './times.ts';
import { splitTokens, TokenCursor, type TokenRules } from './tokens.ts';
import { describeConversion, getConstant, noteDigits, presentOf, testOperands } from './values.ts';

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

/** Reads the condition of SQL, with or without `WHERE`, or of a whole `SELECT` from one table. */
export function readSql(source: string): { condition: Condition; notes: Set<string> } {
  const cursor = new TokenCursor(splitTokens(source, RULES));
  const parser = new SqlParser(cursor);
  const condition = parser.parseQuery();
  return { condition, notes: cursor.notes };
}

class SqlParser extends SqlValueParser {
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

  protected override parseOr(): Term {
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
      if (left.kind !== 'condition') return twoValued(notOf(presentOf(toValue(left))));
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
    const bothMissing = all([notOf(presentOf(toValue(left))), notOf(presentOf(toValue(right)))]);
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
      if (item.kind === 'value') noteDigits(item.value, cursor.notes);
      const isDate = typeof constant === 'string' && looksLikeDate(constant) && !isJson(left);
      if (constant === undefined || left.kind === 'moment' || isDate) {
        others.push(compareTerms('==', left, item, item.span, cursor.notes));
      } else constants.push(constant);
    }
    const isText = isJson(left) && constants.some((constant) => constant === 'true' || constant === 'false');
    if (!isText && constants.every(isConverted))
      for (const constant of constants) cursor.notes.add(describeConversion(constant));
    if (new Set(constants.map((constant) => typeof constant)).size > 1)
      refuseAt('type', span, 'This list has values of different types.');
    const listed = testOperands([toValue(isText ? textOf(left) : left)], ({ expression, type }) => {
      if (expression === undefined) return { isTrue: NO, isFalse: NO };
      if (constants.length > 0 && type !== undefined && typeof constants[0] !== type)
        refuseAt('type', span, `This looks for a ${type} in a list of other values.`);
      const isTrue = isOneOf(expression, constants);
      return { isTrue, isFalse: all([definedOf(expression), notOf(isTrue)]) };
    });
    return disjunction(constants.length > 0 ? [listed, ...others] : others);
  }

  protected override parseCase(): Term {
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
    const span = cursor.since(start);
    return chooseTerm(cases, otherwise, span);
  }
}
