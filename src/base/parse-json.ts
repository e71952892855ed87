import type { JsonObject } from './json.ts';

/**
 * Parses JSON like `JSON.parse`, also where that mistakes names with escapes. V8 since 12.8, in Node.js 24 and in
 * browsers, can read `"\u00e9"` as the name `\` once it has read an object that has this name:
 * https://github.com/nodejs/node/issues/63785
 *
 * @throws {SyntaxError}
 */
export function parseJson(text: string): unknown {
  return text.includes('\\') && mistakesNames() ? parseMarked(text) : JSON.parse(text);
}

/**
 * Parses JSON like `JSON.parse`, but reads names with escapes itself.
 *
 * @throws {SyntaxError}
 */
export function parseMarked(text: string): unknown {
  // It also finds all errors, with their places in this text.
  const value: unknown = JSON.parse(text);
  const escaped: string[] = [];
  const marked = markNames(text, escaped);
  return escaped.length === 0 ? value : restoreNames(JSON.parse(marked), escaped);
}

let isMistaken: boolean | undefined;

/** Returns whether this engine mistakes names. */
function mistakesNames(): boolean {
  if (isMistaken === undefined) {
    JSON.parse('{"onwhere":[],"\\\\":0}');
    isMistaken = !Object.hasOwn(JSON.parse('{"onwhere":1,"\\n":2}'), '\n');
  }
  return isMistaken;
}

/** The marks of names without escapes, and of numbers of the others. Objects would list numbers alone first. */
const PLAIN = '=';
const ESCAPED = '#';

/** Matches what follows a string that is a name. */
const COLON = /[ \t\n\r]*:/y;

/** Returns the same JSON with a mark before each name, and numbers for those that have escapes. Adds these to `escaped`. */
function markNames(json: string, escaped: string[]): string {
  let marked = '';
  let copied = 0;
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = findStringEnd(json, start);
    COLON.lastIndex = end;
    if (COLON.test(json)) {
      const name = json.slice(start, end);
      const mark = name.includes('\\')
        ? `"${ESCAPED}${escaped.push(JSON.parse(name)) - 1}"`
        : `"${PLAIN}${name.slice(1)}`;
      marked += json.slice(copied, start) + mark;
      copied = end;
    }
    start = json.indexOf('"', end);
  }
  return marked + json.slice(copied);
}

function findStringEnd(json: string, start: number): number {
  let at = start + 1;
  for (; json[at] !== '"'; at++) if (json[at] === '\\') at++;
  return at + 1;
}

/** Returns parsed JSON with the names from before {@link markNames}. It may be nested deeper than functions can be. */
function restoreNames(value: unknown, escaped: readonly string[]): unknown {
  const restore = (marked: string) =>
    marked.startsWith(PLAIN) ? marked.slice(1) : (escaped[Number(marked.slice(1))] as string);
  const root: unknown[] = [value];
  const open: (unknown[] | JsonObject)[] = [root];
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    for (const [key, member] of Object.entries(container)) {
      if (typeof member !== 'object' || member === null) continue;
      const restored = Array.isArray(member)
        ? member
        : Object.fromEntries(Object.entries(member).map(([name, own]) => [restore(name), own]));
      Object.defineProperty(container, key, { value: restored });
      open.push(restored);
    }
  }
  return root[0];
}
