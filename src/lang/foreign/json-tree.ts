import type { Span } from '../source.ts';
import { refuseAt } from './refusal.ts';
import { splitTokens, TokenCursor, type TokenRules } from './tokens.ts';

/** JSON with the place of each value. A call is a constructor of the MongoDB shell, such as `ISODate("2025-01-01")`. */
export type JsonTree = { readonly span: Span } & (
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
  | { readonly kind: 'array'; readonly items: readonly JsonTree[] }
  | { readonly kind: 'object'; readonly fields: readonly JsonField[] }
  | { readonly kind: 'call'; readonly name: string; readonly items: readonly JsonTree[] }
);

export interface JsonField {
  readonly name: string;
  readonly span: Span;
  readonly value: JsonTree;
}

const RULES: TokenRules = {
  comments: /\/\/[^\r\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)/y,
  quotes: { '"': { kind: 'string', backslash: true }, "'": { kind: 'string', backslash: true } },
  symbols: /[{}[\]:,()]/y,
};

/** Parses JSON as people write it: names without quotes, single quotes, comments and a comma at the end are allowed. */
export function parseJsonTree(source: string): JsonTree {
  const cursor = new TokenCursor(splitTokens(source, RULES));
  const tree = parseValue(cursor);
  cursor.accept(';');
  return cursor.next.kind === 'end' ? tree : cursor.refuseNext();
}

function parseValue(cursor: TokenCursor): JsonTree {
  return cursor.nest(() => {
    const start = cursor.next;
    const { kind, text } = start;
    if (cursor.accept('{')) {
      const names = new Set<string>();
      const fields = parseList(cursor, '}', () => parseField(cursor, names));
      return { kind: 'object', fields, span: cursor.since(start) };
    }
    if (cursor.accept('[')) {
      const items = parseList(cursor, ']', () => parseValue(cursor));
      return { kind: 'array', items, span: cursor.since(start) };
    }
    if (kind === 'string') {
      cursor.take();
      return { kind: 'scalar', value: text, span: start.span };
    }
    const sign = cursor.accept('-') ? -1 : 1;
    if (cursor.next.kind === 'number') {
      const { text: digits } = cursor.take();
      if (/^0\d/.test(digits)) refuseAt('syntax', start.span, 'A number of JSON does not begin with 0.');
      const value = sign * Number(digits);
      if (!Number.isFinite(value)) refuseAt('type', start.span, 'This number is too large.');
      return { kind: 'scalar', value: value + 0, span: cursor.since(start) };
    }
    if (text === '/') refuseAt('pattern', start.span, 'Write {$regex: "part"}. Only plain characters are translated.');
    if (sign === -1 || kind !== 'word') return cursor.refuseNext();
    return parseWord(cursor);
  });
}

function parseWord(cursor: TokenCursor): JsonTree {
  const start = cursor.take();
  const constants = new Map([
    ['true', true],
    ['false', false],
    ['null', null],
  ]);
  const value = constants.get(start.text);
  if (value !== undefined) return { kind: 'scalar', value, span: start.span };
  const name = start.text === 'new' && cursor.next.kind === 'word' ? cursor.take().text : start.text;
  if (!cursor.accept('(')) refuseAt('syntax', start.span, 'Strings are written in quotes.');
  const items = parseList(cursor, ')', () => parseValue(cursor));
  return { kind: 'call', name, items, span: cursor.since(start) };
}

/** @param names The names of the object before this one. */
function parseField(cursor: TokenCursor, names: Set<string>): JsonField {
  const { kind, text, span } = cursor.take();
  if (kind !== 'string' && kind !== 'word') refuseAt('syntax', span, 'A name is expected here.');
  if (names.has(text)) refuseAt('syntax', span, `"${text}" is repeated, and only the last one would count.`);
  names.add(text);
  cursor.expect(':');
  return { name: text, span, value: parseValue(cursor) };
}

function parseList<Item>(cursor: TokenCursor, end: string, parse: () => Item): Item[] {
  const items: Item[] = [];
  while (!cursor.accept(end)) {
    items.push(parse());
    if (!cursor.accept(',')) {
      cursor.expect(end);
      break;
    }
  }
  return items;
}
