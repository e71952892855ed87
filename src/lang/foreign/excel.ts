import type { ComparisonName } from '../operators/table.ts';
import type { Span } from '../source.ts';
import {
  type Condition,
  conjunction,
  definedOf,
  disjunction,
  NO,
  negated,
  notOf,
  propertyOf,
  twoValued,
  YES,
} from './conditions.ts';
import {
  BLANK_RULES,
  compareExact,
  compareExcelTimes,
  compareExcelValues,
  compareStart,
  EXCEL_RULES,
  type ExcelCall,
  type ExcelTerm,
  noteNumbers,
  readColumn,
  refuseFunction,
  searchString,
} from './excel-terms.ts';
import { compareLoosely } from './loose.ts';
import { resolveName } from './names.ts';
import { refuseAt } from './refusal.ts';
import { readMoment } from './times.ts';
import { splitTokens, TokenCursor } from './tokens.ts';
import {
  chooseCondition,
  chooseValue,
  computeNumber,
  constantOf,
  type ForeignValue,
  firstPresent,
  getConstant,
  testOperands,
  unconditional,
} from './values.ts';

const COMPARISONS = new Map<string, ComparisonName>([
  ['=', '=='],
  ['<>', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);

/** Reads a formula of Excel, with or without `=` before it. A missing property is a blank cell. */
export function readExcel(source: string): { condition: Condition; notes: Set<string> } {
  const cursor = new TokenCursor(splitTokens(source, EXCEL_RULES));
  cursor.accept('=');
  const parser = new ExcelParser(cursor);
  const condition = parser.toCondition(parser.parseComparison());
  if (cursor.next.kind !== 'end') cursor.refuseNext();
  return { condition, notes: cursor.notes };
}

class ExcelParser {
  constructor(private readonly cursor: TokenCursor) {}

  parseComparison(): ExcelTerm {
    const { cursor } = this;
    const start = cursor.next;
    const left = cursor.nest(() => this.parseSum());
    const comparison = cursor.next.kind === 'symbol' ? COMPARISONS.get(cursor.next.text) : undefined;
    if (comparison === undefined) return left;
    cursor.take();
    const right = this.parseSum();
    const span = cursor.since(start);
    if (COMPARISONS.has(cursor.next.text)) refuseAt('syntax', cursor.next.span, 'Comparisons do not chain.');
    return { kind: 'condition', condition: this.compare(comparison, left, right, span), span };
  }

  private compare(operator: ComparisonName, left: ExcelTerm, right: ExcelTerm, span: Span): Condition {
    const { notes } = this.cursor;
    if (left.kind === 'moment' || right.kind === 'moment') return compareExcelTimes(operator, left, right, span, notes);
    if (left.kind === 'start') return compareStart(operator, left, right, notes);
    if (left.kind !== 'condition') {
      return compareExcelValues(operator, this.toValue(left), this.toValue(right), span, notes);
    }
    const constant = right.kind === 'value' ? getConstant(right.value) : undefined;
    if (typeof constant !== 'boolean' || (operator !== '==' && operator !== '!='))
      return refuseAt('type', span, 'A condition is only compared with TRUE or FALSE.');
    return constant === (operator === '==') ? left.condition : negated(left.condition);
  }

  private parseSum(): ExcelTerm {
    const { cursor } = this;
    const start = cursor.next;
    let left = this.parseProduct();
    for (let token = cursor.accept('+', '-'); token; token = cursor.accept('+', '-')) {
      const right = this.parseProduct();
      const span = cursor.since(start);
      if (left.kind !== 'moment') {
        left = this.compute(token.text as '+' | '-', left, right, span);
        continue;
      }
      const days = right.kind === 'value' ? getConstant(right.value) : undefined;
      const seconds = typeof days === 'number' ? days * 86_400 : Number.NaN;
      if (!Number.isSafeInteger(seconds)) return refuseAt('time', right.span, 'Write a number of days here.');
      const { base, seconds: before } = left.moment;
      left = { kind: 'moment', moment: { base, seconds: before + (token.text === '-' ? -seconds : seconds) }, span };
    }
    if (cursor.sees('&')) refuseAt('operator', cursor.next.span, '`&` has no translation. Test each string alone.');
    return left;
  }

  private parseProduct(): ExcelTerm {
    const { cursor } = this;
    const start = cursor.next;
    let left = this.parseUnary();
    for (let token = cursor.accept('*', '/'); token; token = cursor.accept('*', '/')) {
      const right = this.parseUnary();
      if (token.text === '/' && !getConstant(this.toValue(right)))
        refuseAt('division', right.span, 'Only a division by a number other than 0 is translated.');
      left = this.compute(token.text as '*' | '/', left, right, cursor.since(start));
    }
    return left;
  }

  /** Computes with numbers. A blank cell counts as 0. */
  private compute(operator: '+' | '-' | '*' | '/', left: ExcelTerm, right: ExcelTerm, span: Span): ExcelTerm {
    const zero = constantOf(0);
    const values = [this.toValue(left), this.toValue(right)];
    noteNumbers(values, this.cursor.notes);
    const [a, b] = values.map((value) => {
      const isKnown = value.every(({ operand }) => operand.type !== undefined);
      return isKnown ? value : firstPresent([value, zero]);
    }) as [ForeignValue, ForeignValue];
    return { kind: 'value', value: computeNumber(operator, a, b, span), span };
  }

  private parseUnary(): ExcelTerm {
    const { cursor } = this;
    const start = cursor.accept('-', '+');
    if (start === undefined) return this.parsePrimary();
    const operand = cursor.nest(() => this.parseUnary());
    const span = cursor.since(start);
    if (start.text === '+') return operand;
    const constant = getConstant(this.toValue(operand));
    if (typeof constant === 'number') return { kind: 'value', value: constantOf(-constant), span };
    return this.compute('-', { kind: 'value', value: constantOf(0), span }, operand, span);
  }

  private parsePrimary(): ExcelTerm {
    const { cursor } = this;
    const start = cursor.next;
    const { kind, text, span } = start;
    if (cursor.accept('(')) {
      const inner = this.parseComparison();
      cursor.expect(')');
      return { ...inner, span: cursor.since(start) };
    }
    if (kind === 'symbol' || kind === 'end') return cursor.refuseNext();
    cursor.take();
    if (kind === 'number') {
      if (!Number.isFinite(Number(text))) refuseAt('type', span, 'This number is too large.');
      if (cursor.sees('%')) refuseAt('operator', cursor.next.span, 'Write 10% as 0.1.');
      return { kind: 'value', value: constantOf(Number(text)), span };
    }
    if (kind === 'string') return { kind: 'value', value: constantOf(text), span };
    if (kind === 'word' && cursor.sees('(')) return this.parseCall(text.toUpperCase(), span);
    if (kind === 'word' && /^(?:true|false)$/i.test(text))
      return { kind: 'value', value: constantOf(text.toLowerCase() === 'true'), span };
    if (/^\$?[A-Z]{1,3}\$?\d+$/.test(text)) refuseAt('name', span, `${text} is a cell. Name the column: [@plan].`);
    const expression =
      kind === 'quoted' ? propertyOf('properties', readColumn(text, span)) : resolveName([text], span, false);
    return { kind: 'value', value: unconditional({ expression }), span };
  }

  private parseCall(name: string, nameSpan: Span): ExcelTerm {
    const { cursor } = this;
    refuseFunction(name, nameSpan);
    const open = cursor.take();
    const terms: ExcelTerm[] = [];
    while (!cursor.accept(')')) {
      terms.push(this.parseComparison());
      // Where the comma is the decimal sign, a semicolon separates.
      if (!cursor.accept(',', ';') && !cursor.sees(')')) cursor.refuseNext();
    }
    const span = { start: nameSpan.start, end: cursor.since(open).end };
    const call: ExcelCall = { name, terms, span, nameSpan };
    const condition = this.readCondition(call);
    return condition === undefined ? this.readCall(call) : { kind: 'condition', condition, span };
  }

  /** Returns the condition of a function that returns TRUE or FALSE. */
  private readCondition({ name, terms, span }: ExcelCall): Condition | undefined {
    const [first, second] = terms;
    if (first === undefined) return undefined;
    switch (name) {
      case 'AND':
        return conjunction(terms.map((term) => this.toCondition(term)));
      case 'OR':
        return disjunction(terms.map((term) => this.toCondition(term)));
      case 'NOT':
        return negated(this.toCondition(first));
      case 'ISBLANK':
        return testOperands([this.toValue(first)], ({ expression }) =>
          twoValued(expression ? notOf(definedOf(expression)) : YES),
        );
      case 'ISNUMBER':
      case 'ISERROR': {
        if (first.kind !== 'search')
          refuseAt('function', first.span, `${name} is only translated around SEARCH and FIND.`);
        return name === 'ISNUMBER' ? first.found : negated(first.found);
      }
      case 'EXACT': {
        const text = second?.kind === 'value' ? getConstant(second.value) : undefined;
        if (typeof text !== 'string') return refuseAt('type', span, 'EXACT is only translated with a string.');
        return compareExact(this.toValue(first), text, span, this.cursor.notes);
      }
      case 'IF': {
        const otherwise = terms[2] ?? { kind: 'value', value: constantOf(false), span };
        if (second === undefined || (second.kind === 'value' && typeof getConstant(second.value) !== 'boolean'))
          return undefined;
        return chooseCondition([[this.toCondition(first), this.toCondition(second)]], this.toCondition(otherwise));
      }
      default:
        return undefined;
    }
  }

  /** Returns the value of another function. */
  private readCall({ name, terms, span, nameSpan }: ExcelCall): ExcelTerm {
    const [first, second, third] = terms;
    const constants = terms.map((term) => (term.kind === 'value' ? getConstant(term.value) : undefined));
    switch (name) {
      case 'TRUE':
      case 'FALSE':
        return { kind: 'value', value: constantOf(name === 'TRUE'), span };
      case 'IF':
        if (first === undefined || second === undefined || third === undefined) break;
        return {
          kind: 'value',
          value: chooseValue([[this.toCondition(first), this.toValue(second)]], this.toValue(third)),
          span,
        };
      case 'NOW':
        return { kind: 'moment', moment: { base: 'now', seconds: 0 }, span };
      case 'TODAY':
        return refuseAt('time', span, 'Days depend on a time zone. Write DATE(2025, 6, 1), or NOW()-1.');
      case 'DATE': {
        const [year, month, day] = constants.map((constant) => String(constant).padStart(2, '0'));
        if (!/^\d{4}$/.test(year ?? '')) return refuseAt('time', span, 'Write a date with four digits of the year.');
        return { kind: 'moment', moment: readMoment(`${year}-${month}-${day}`, span), span };
      }
      case 'LEFT':
        if (first === undefined || typeof (constants[1] ?? 1) !== 'number') break;
        return { kind: 'start', value: this.toValue(first), length: Number(constants[1] ?? 1), span };
      case 'FIND':
      case 'SEARCH': {
        const [part] = constants;
        if (second === undefined || third !== undefined || typeof part !== 'string' || part === '') break;
        return { kind: 'search', found: searchString(name, part, this.toValue(second), span, this.cursor.notes), span };
      }
    }
    return refuseAt('function', nameSpan, `${name} is not translated with these arguments.`);
  }

  private toValue(term: ExcelTerm): ForeignValue {
    if (term.kind === 'value') return term.value;
    if (term.kind === 'search') refuseAt('function', term.span, 'Write ISNUMBER(...) around SEARCH and FIND.');
    return refuseAt('type', term.span, 'This value has no translation here.');
  }

  toCondition(term: ExcelTerm): Condition {
    if (term.kind === 'condition') return term.condition;
    return testOperands([this.toValue(term)], (operand) => {
      if (operand.type === 'string') refuseAt('type', term.span, 'This is a value. A condition is needed here.');
      if (operand.expression !== undefined && operand.type === undefined)
        this.cursor.notes.add('A column alone is read as TRUE or FALSE. For a number, write [@amount]<>0.');
      if (operand.constant !== undefined) return twoValued(operand.constant ? YES : NO);
      return compareLoosely(
        operand.type === 'number' ? '!=' : '==',
        unconditional(operand),
        constantOf(operand.type === 'number' ? 0 : true),
        BLANK_RULES,
        term.span,
      );
    });
  }
}
