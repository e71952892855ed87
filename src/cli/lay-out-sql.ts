/** Statements with longer lines are broken. */
const MAX_WIDTH = 100;

const INDENT = '  ';

/** A word, a comma, or what brackets or CASE and END enclose. */
interface Part {
  readonly text: string;
  /** Whether white space comes before it. */
  readonly isApart: boolean;
  /** The enclosed parts, with the word or bracket before and after them. */
  readonly enclosed?: { readonly open: string; readonly parts: readonly Part[]; readonly close: string };
}

const TOKENS = /\s+|'[^']*'|"[^"]*"|`[^`]*`|\w+|[^\w\s]/g;
/** In ClickHouse, a backslash escapes a quote. */
const ESCAPED_TOKENS = /\s+|(['"`])(?:\\.|(?!\1)[^\\])*\1|\w+|[^\w\s]/gs;

const CLOSING = new Map([
  ['(', ')'],
  ['[', ']'],
  ['CASE', 'END'],
]);
const CLAUSES = ['SELECT', 'FROM', 'WHERE', 'GROUP', 'ORDER', 'OFFSET'];

/**
 * Breaks a statement of this package into lines. Each clause begins a line. Where a line would be too long, so does each
 * item of a list, each operand of AND and OR, and each branch of CASE.
 */
export function layOutSql(sql: string, hasEscapes: boolean): string {
  const tokens = sql.match(hasEscapes ? ESCAPED_TOKENS : TOKENS) ?? [];
  return printParts(readParts(tokens[Symbol.iterator](), undefined), '');
}

/** Reads the parts up to the closing word or bracket. */
function readParts(tokens: Iterator<string>, closing: string | undefined): Part[] {
  const parts: Part[] = [];
  let isApart = false;
  for (let { done, value } = tokens.next(); !done && value !== closing; { done, value } = tokens.next()) {
    const isSpace = value.trim() === '';
    if (!isSpace) parts.push({ ...readPart(value, tokens), isApart });
    isApart = isSpace;
  }
  return parts;
}

function readPart(token: string, tokens: Iterator<string>): Omit<Part, 'isApart'> {
  const close = CLOSING.get(token);
  if (close === undefined) return { text: token };
  const parts = readParts(tokens, close);
  const space = token === 'CASE' ? ' ' : '';
  return { text: token + space + joinParts(parts) + space + close, enclosed: { open: token, parts, close } };
}

/** Prints parts that begin after an indent. */
function printParts(parts: readonly Part[], indent: string): string {
  const rows = splitBefore(parts, ({ text }) => CLAUSES.includes(text));
  if (rows.length > 1) return rows.map((row) => printRows(row, indent, INDENT)).join(`\n${indent}`);
  return printRows(parts, indent, '');
}

/** Prints a row, or several with a further indent from the second one if one would be too long. */
function printRows(parts: readonly Part[], indent: string, further: string): string {
  const text = joinParts(parts);
  if (indent.length + text.length <= MAX_WIDTH) return text;
  const rows = splitRows(parts);
  const [first = [], ...others] = rows;
  if (others.length === 0)
    return first
      .map((part) => (part.isApart ? ' ' : '') + printPart(part, indent))
      .join('')
      .trim();
  const inner = indent + further;
  return [printRows(first, indent, ''), ...others.map((row) => printRows(row, inner, ''))].join(`\n${inner}`);
}

/** Prints a part, with what it encloses on lines of its own if it is too long. */
function printPart({ text, enclosed }: Part, indent: string): string {
  if (enclosed === undefined || indent.length + text.length <= MAX_WIDTH) return text;
  const inner = indent + INDENT;
  return `${enclosed.open}\n${inner}${printParts(enclosed.parts, inner)}\n${indent}${enclosed.close}`;
}

/** Splits parts where they bind least: at commas, else before the branches of CASE, else before OR, else before AND. */
function splitRows(parts: readonly Part[]): Part[][] {
  const lists = splitBefore(parts, (_, before) => before?.text === ',');
  if (lists.length > 1) return lists;
  for (const words of [['WHEN', 'ELSE'], ['OR'], ['AND']]) {
    let isBetween = false;
    const rows = splitBefore(parts, ({ text }) => {
      const isSecondLimit = isBetween && text === 'AND';
      isBetween = text === 'BETWEEN' || (isBetween && !isSecondLimit);
      return words.includes(text) && !isSecondLimit;
    });
    if (rows.length > 1) return rows;
  }
  return [[...parts]];
}

function splitBefore(parts: readonly Part[], begins: (part: Part, before: Part | undefined) => boolean): Part[][] {
  const rows: Part[][] = [];
  for (const [index, part] of parts.entries()) {
    if (index === 0 || begins(part, parts[index - 1])) rows.push([part]);
    else rows.at(-1)?.push(part);
  }
  return rows;
}

function joinParts(parts: readonly Part[]): string {
  return parts.map(({ text, isApart }, index) => (isApart && index > 0 ? ' ' : '') + text).join('');
}
