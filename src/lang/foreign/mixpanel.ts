import type { Expression, FunctionName, Literal, Scope } from '../ast.ts';
import type { BinaryName, ComparisonName } from '../operators/table.ts';
import { parseDateTime } from '../operators/time.ts';
import type { Span } from '../source.ts';
import {
  all,
  any,
  binaryOf,
  type Condition,
  callOf,
  compareTimes,
  definedOf,
  isOneOf,
  literal,
  NO,
  notOf,
  nowNode,
  propertyOf,
  twoValued,
  YES,
} from './conditions.ts';
import { refuseAt } from './refusal.ts';
import { isString, testString } from './strings.ts';
import { type ForeignToken, splitTokens, TokenCursor, type TokenRules } from './tokens.ts';
import { compareConstants } from './values.ts';

const RULES: TokenRules = {
  quotes: { '"': { kind: 'string', backslash: true }, "'": { kind: 'string', backslash: true } },
  symbols: /==|!=|<=|>=/y,
};

const COMPARISONS = new Map<string, ComparisonName>([
  ...(['==', '!=', '<', '<=', '>', '>='] as const).map((name) => [name, name] as const),
  // Inside of any(...), people write one sign.
  ['=', '=='],
]);

const CASTS = new Set(['string', 'number', 'boolean']);
const FUNCTIONS = new Set([...CASTS, 'floor', 'round', 'ceil', 'defined', 'datetime']);

const SPELLINGS = 'onwhere compares strings exactly. List the spellings: properties["plan"] in ["pro", "Pro", "PRO"].';
const PART = 'onwhere cannot cut strings. To find a part of one, write "part" in properties["name"].';
const BY_HAND = 'It has no translation. Store the result as a property of the event, and compare that.';

/** Why a function has no translation, by its name in lower case. */
const REASONS = new Map([
  ...['lower', 'upper'].map((name) => [name, SPELLINGS] as const),
  ...['left', 'right', 'mid', 'split', 'substring', 'parse_url'].map((name) => [name, PART] as const),
  ...['regex_match', 'regex_extract', 'regex_replace'].map(
    (name) => [name, 'onwhere has no regular expressions.'] as const,
  ),
  ...['datedif', 'today', 'date_format'].map(
    (name) => [name, 'Times are seconds: compare them with now - 86400, or with datetime("2025-06-01").'] as const,
  ),
  ['has_suffix', 'onwhere cannot test how a string ends. To find it anywhere, write ".org" in properties["name"].'],
  ['len', 'onwhere cannot measure lengths. For a string that is not empty, write properties["name"] != "".'],
  ['all', 'Only `any` is translated. onwhere tests whether a list has an element, not all of its elements.'],
  ['ifs', 'Write IFS as IF(..., ..., IF(...)).'],
]);

const ELEMENTS = 'Only tests for elements are translated: any(X, list, X == "a"), and X in ["a", "b"].';

/** A value, and the condition under which it is that of a record. At most one condition of several is true. */
interface Branch {
  readonly when: Expression;
  readonly value: Expression;
  /** Whether the condition says no more than that there is the value. */
  readonly isPresence?: boolean;
}

type Branches = readonly Branch[];

/** Reads an expression of Mixpanel with the functions that the query interface of onwhere lacks. */
export function readMixpanel(source: string): { condition: Condition; notes: Set<string> } {
  const cursor = new TokenCursor(splitTokens(source, RULES));
  const parser = new MixpanelParser(cursor);
  const branches = parser.parseOr();
  if (cursor.next.kind !== 'end') cursor.refuseNext();
  return { condition: twoValued(parser.toResult(branches, { start: 0, end: source.length })), notes: cursor.notes };
}

class MixpanelParser {
  constructor(private readonly cursor: TokenCursor) {}

  parseOr(): Branches {
    return this.parseChain('OR', () => this.parseChain('AND', () => this.parseNot(), all), any);
  }

  private parseChain(
    word: string,
    parse: () => Branches,
    combine: (operands: readonly Expression[]) => Expression,
  ): Branches {
    const first = parse();
    if (!this.cursor.sees(word)) return first;
    const operands = [toCondition(first)];
    while (this.cursor.accept(word)) operands.push(toCondition(parse()));
    return always(combine(operands));
  }

  private parseNot(): Branches {
    if (!this.cursor.accept('NOT')) return this.parseComparison();
    const operand = toCondition(this.cursor.nest(() => this.parseNot()));
    // `not not x` is not x: a string is an error, and its negation is undefined.
    const isNegated = operand.kind === 'prefix' && operand.operator === 'not';
    return always(isNegated ? { ...operand, operand } : notOf(operand));
  }

  private parseComparison(): Branches {
    const { cursor } = this;
    let left = this.parseSum();
    for (;;) {
      const comparison = cursor.next.kind === 'symbol' ? COMPARISONS.get(cursor.next.text) : undefined;
      if (comparison !== undefined) {
        cursor.take();
        left = compare(comparison, left, this.parseSum());
      } else if (cursor.accept('IN')) {
        left = this.parseIn(left);
      } else return left;
    }
  }

  private parseIn(left: Branches): Branches {
    if (!this.cursor.sees('[')) return combine(left, this.parseSum(), (a, b) => binaryOf('in', a, b));
    const items = this.parseItems();
    return left.map(({ when, value }) => ({ when, value: isOneOf(value, items) }));
  }

  /** Parses a list of literals. */
  private parseItems(): readonly Literal['value'][] {
    const { cursor } = this;
    cursor.expect('[');
    const items: Literal['value'][] = [];
    while (!cursor.accept(']')) {
      items.push(this.parseLiteral());
      if (!cursor.accept(',') && !cursor.sees(']')) cursor.refuseNext();
    }
    return items;
  }

  private parseSum(): Branches {
    return this.parseNumbers(['+', '-'], () => this.parseNumbers(['*', '/', '%'], () => this.parseUnary()));
  }

  private parseNumbers(symbols: readonly string[], parse: () => Branches): Branches {
    let left = parse();
    for (let token = this.cursor.accept(...symbols); token; token = this.cursor.accept(...symbols)) {
      const operator = token.text as BinaryName;
      left = combine(left, parse(), (a, b) => binaryOf(operator, a, b));
    }
    return left;
  }

  private parseUnary(): Branches {
    if (!this.cursor.accept('-')) return this.parsePrimary();
    const operand = this.cursor.nest(() => this.parseUnary());
    return map(operand, (value) => ({ kind: 'prefix', operator: '-', operand: value, span: value.span }));
  }

  private parsePrimary(): Branches {
    const { cursor } = this;
    const start = cursor.next;
    if (cursor.accept('(')) {
      const inner = cursor.nest(() => this.parseOr());
      cursor.expect(')');
      return inner;
    }
    if (start.kind !== 'word' || cursor.sees('TRUE', 'FALSE')) return always(literal(this.parseLiteral()));
    cursor.take();
    if (cursor.sees('[')) return this.parseProperty(start);
    if (cursor.sees('(')) return cursor.nest(() => this.parseCall(start));
    if (start.text.toLowerCase() === 'now') return always(nowNode());
    return refuseAt('syntax', start.span, `\`${start.text}\` is not understood here.`);
  }

  private parseLiteral(): Literal['value'] {
    const { cursor } = this;
    const sign = cursor.accept('-') ? -1 : 1;
    const { kind, text, span } = cursor.next;
    if (kind === 'number' || (kind === 'string' && sign === 1)) cursor.take();
    if (kind === 'string' && sign === 1) return text;
    if (kind === 'number')
      return Number.isFinite(Number(text)) ? sign * Number(text) : refuseAt('type', span, 'This number is too large.');
    const truth = cursor.accept('TRUE', 'FALSE');
    return truth === undefined ? cursor.refuseNext() : truth.text.toUpperCase() === 'TRUE';
  }

  private parseProperty(start: ForeignToken): Branches {
    const { cursor } = this;
    const path: string[] = [];
    while (cursor.accept('[')) {
      const { kind, text } = cursor.next;
      if (kind !== 'string') cursor.refuseNext();
      cursor.take();
      cursor.expect(']');
      path.push(text);
    }
    const scope = start.text.toLowerCase();
    const [name = '', ...rest] = path;
    const span = cursor.since(start);
    if (scope === 'behaviors')
      refuseAt(
        'name',
        span,
        `An expression reads one event and its user, and does not count events. Store the number as a property of the user: user["${name}"].`,
      );
    if (scope === 'group_properties')
      refuseAt(
        'name',
        span,
        `onwhere has no groups. Store the property in each event: properties["${rest.at(-1) ?? name}"].`,
      );
    if (!['properties', 'event', 'user'].includes(scope) || rest.length > 0)
      refuseAt('syntax', span, 'Properties are flat: properties["name"].');
    return always(propertyOf(scope as Scope, name));
  }

  private parseCall(start: ForeignToken): Branches {
    const { cursor } = this;
    const name = start.text.toLowerCase();
    const reason = REASONS.get(name);
    if (reason !== undefined) refuseAt('function', start.span, reason);
    cursor.expect('(');
    if (name === 'any') return this.parseAny();
    const terms = [this.parseOr()];
    while (cursor.accept(',')) terms.push(this.parseOr());
    cursor.expect(')');
    return this.readCall(name, terms, start.span, cursor.since(start));
  }

  private readCall(name: string, terms: readonly Branches[], nameSpan: Span, span: Span): Branches {
    const [first, second, third] = terms;
    if (first === undefined) return refuseAt('syntax', span, `${name} takes an argument.`);
    if (name === 'if') {
      if (second === undefined || third === undefined || terms.length > 3)
        return refuseAt('function', span, 'IF takes a condition and two values: IF(condition, "a", "b").');
      const condition = toCondition(first);
      return [...guard(condition, second), ...guard(notOf(condition), third)];
    }
    if (name === 'has_prefix' && second !== undefined && terms.length === 2) {
      const prefix = constantOf(second);
      if (typeof prefix !== 'string')
        return refuseAt('pattern', span, 'The prefix must be a string: has_prefix(properties["url"], "/blog").');
      return map(first, (value) => testString('startsWith', value, prefix));
    }
    if (name === 'datetime' && terms.length > 1) return always(callOf('datetime', literal(readDate(terms, span))));
    if (CASTS.has(name) && second !== undefined && terms.length === 2) {
      return first.flatMap(({ when, value }) => {
        const cast = callOf(name as FunctionName, value);
        const isPresent = definedOf(cast);
        const present = { when: all([when, isPresent]), value: cast, isPresence: when === YES };
        return [present, ...guard(all([when, notOf(isPresent)]), second)];
      });
    }
    if (!FUNCTIONS.has(name) || terms.length > 1) return refuseAt('function', nameSpan, `${name}: ${BY_HAND}`);
    return map(first, (value) => callOf(name as FunctionName, value));
  }

  /** Parses the arguments of `any(X, list, X == "a")`. */
  private parseAny(): Branches {
    const { cursor } = this;
    const variable = cursor.take();
    if (variable.kind !== 'word') refuseAt('syntax', variable.span, 'A name is expected here.');
    cursor.expect(',');
    const list = this.parseSum();
    cursor.expect(',');
    const elements = this.parseElements(variable.text);
    cursor.expect(')');
    return map(list, (value) => {
      const isIn = any(elements.map((element) => binaryOf('in', literal(element), value)));
      // In a string, `in` finds a part.
      return elements.some((element) => typeof element === 'string') ? all([isIn, notOf(isString(value))]) : isIn;
    });
  }

  /** Parses a test of the elements of a list, and returns those of which there must be one. */
  private parseElements(variable: string): readonly Literal['value'][] {
    const { cursor } = this;
    const elements: Literal['value'][] = [];
    do {
      const start = cursor.next;
      if (cursor.accept('(')) {
        elements.push(...cursor.nest(() => this.parseElements(variable)));
        cursor.expect(')');
      } else if (start.kind === 'word' && start.text === variable) {
        cursor.take();
        if (cursor.accept('IN')) elements.push(...this.parseItems());
        else if (cursor.accept('==', '=')) elements.push(this.parseLiteral());
        else refuseAt('list', cursor.next.span, ELEMENTS);
      } else {
        const element = this.parseLiteral();
        if (!cursor.accept('==', '=')) refuseAt('list', cursor.next.span, ELEMENTS);
        cursor.expect(variable.toUpperCase());
        elements.push(element);
      }
    } while (cursor.accept('OR'));
    if (!cursor.sees(')')) refuseAt('list', cursor.next.span, ELEMENTS);
    return elements;
  }

  /** Returns the expression of a whole source. Only a condition can have several branches. */
  toResult(branches: Branches, span: Span): Expression {
    if (branches.length > 1 && !branches.every(({ value }) => isCondition(value)))
      refuseAt(
        'type',
        span,
        'Only a comparison can choose between values: IF(…) == "high". To segment, use the condition alone.',
      );
    return toCondition(branches);
  }
}

function isCondition(node: Expression): boolean {
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'boolean';
    case 'call':
      return node.operator === 'boolean' || node.operator === 'defined';
    case 'prefix':
      return node.operator === 'not';
    case 'binary':
      return node.operator === 'in' || COMPARISONS.has(node.operator);
    default:
      return node.kind !== 'property' && node.kind !== 'now';
  }
}

function always(value: Expression): Branches {
  return [{ when: YES, value }];
}

function map(branches: Branches, compute: (value: Expression) => Expression): Branches {
  return branches.map(({ when, value }) => ({ when, value: compute(value) }));
}

function guard(condition: Expression, branches: Branches): Branches {
  return branches.map(({ when, value }) => ({ when: all([condition, when]), value }));
}

function combine(left: Branches, right: Branches, compute: (a: Expression, b: Expression) => Expression): Branches {
  return left.flatMap((a) => right.map((b) => ({ when: all([a.when, b.when]), value: compute(a.value, b.value) })));
}

function compare(operator: ComparisonName, left: Branches, right: Branches): Branches {
  const branches = left.flatMap((a) =>
    right.map((b) => {
      const value = compareValues(operator, a.value, b.value);
      // Nothing that is missing equals a literal, or is before or after it.
      const isImplied = a.isPresence === true && b.value.kind === 'literal' && operator !== '!=';
      return { when: isImplied ? b.when : all([a.when, b.when]), value };
    }),
  );
  return branches.length === 1 ? branches : always(toCondition(branches));
}

function compareValues(operator: ComparisonName, left: Expression, right: Expression): Expression {
  if ([left, right].some((side) => side.kind === 'call' && side.operator === 'datetime'))
    return compareTimes(operator, left, right);
  // The default of a cast, beside another literal.
  if (left.kind !== 'literal' || right.kind !== 'literal') return binaryOf(operator, left, right);
  const isOrder = operator !== '==' && operator !== '!=';
  if (typeof left.value !== typeof right.value || (isOrder && typeof left.value === 'boolean'))
    return binaryOf(operator, left, right);
  return compareConstants(operator, left.value, right.value) ? YES : NO;
}

/** Returns the condition that a value is true. */
function toCondition(branches: Branches): Expression {
  return any(branches.map(({ when, value }) => all([when, value])));
}

function constantOf(branches: Branches): unknown {
  const [only] = branches;
  return branches.length === 1 && only?.value.kind === 'literal' ? only.value.value : undefined;
}

/** Reads the numbers of `datetime(2024, 1, 31)`, with or without hours, minutes and seconds. */
function readDate(terms: readonly Branches[], span: Span): string {
  const numbers = terms.map(constantOf);
  const [year, month, day, ...clock] = numbers.map((number) => String(number).padStart(2, '0'));
  const time = [...clock, '00', '00', '00'].slice(0, 3).join(':');
  const text = `${year}-${month}-${day}${clock.length > 0 ? `T${time}` : ''}`;
  if (terms.length > 6 || !numbers.every(Number.isInteger) || parseDateTime(text) === undefined)
    refuseAt('time', span, 'Write a date that exists: datetime(2024, 1, 31), or datetime("2024-01-31T12:00:00").');
  return text;
}
