import type { JsonObject } from '../base/json.ts';
import { ArraySplitter } from './array-splitter.ts';
import { EnclosingObjects } from './enclosing-objects.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, JsonScanner, LINE_FEED, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-scanner.ts';
import type { RawRecord } from './parse-records.ts';
import { tryParseJson } from './try-parse-json.ts';

/** Longer names of members are cut in messages. */
const MAX_NAME_BYTES = 200;

/** Lists of records that are known by their names: the requests of a browser (HAR), and what Elasticsearch has found. */
const KNOWN_LISTS: ReadonlySet<string> = new Set(['log.entries', 'hits.hits']);

/** Matches the start of requests of OpenTelemetry, whose records are in lists of lists. */
const KNOWN_START = /^(?:\[\s*)?\{\s*"resource(Logs|Spans)"\s*:\s*\[/;

const KNOWN_PATHS = new Map([
  ['Logs', 'resourceLogs.scopeLogs.logRecords'],
  ['Spans', 'resourceSpans.scopeSpans.spans'],
]);

/** Returns the names of the list of records in JSON that begins like that of a tool, joined by dots. */
export function findKnownPath(start: string): string | undefined {
  return KNOWN_PATHS.get(KNOWN_START.exec(start)?.[1] ?? '');
}

/** The characters of JSON that decide about {@link findKnownPath}, unless it is laid out with more blanks. */
export const KNOWN_START_CHARACTERS = 64;

/** Returns whether the names of a list, outermost first, tell that it has the records. */
export function isKnownList(path: readonly string[]): boolean {
  return KNOWN_LISTS.has(path.join('.'));
}

/**
 * Splits the array of objects in an object such as `{"data": [{…}], "next": 2}` into records. The object arrives in
 * chunks of any size.
 *
 * Without a path, ends with a problem if there is a second array of objects. With a path such as `page.items`, reads the
 * lists there, whatever else the object has, also through other lists, and further objects after the first one or in a
 * list around all. Records in lists of lists get the members that the objects in the outer lists have before them.
 */
export class WrapperSplitter {
  /** The names of the list with the records, as JSON without quotes, joined by dots; undefined before it is found. */
  name: string | undefined;
  private hasStarted = false;
  private isClosed = false;
  private hasProblem = false;
  private readonly scanner: JsonScanner;
  private array: ArraySplitter | undefined;
  /** The level of the bracket that opens the array. */
  private arrayLevel = 0;
  /** Whether the current object has a list at the path. */
  private hasList = false;
  /** The bytes of the last string at each level, and the bracket that was opened there. */
  private readonly texts: number[][] = [];
  private readonly brackets: (number | undefined)[] = [];
  /** The line of a bracket that may open the array, and of the current object. */
  private bracketLine = 0;
  private objectLine = 0;
  private readonly deepest: number;
  /** The objects in lists on the path, and where the bytes of the chunk begin that are not added yet. */
  private readonly enclosing = new EnclosingObjects();
  private enclosingStart = 0;
  /** The members of these objects, for the records of the current array. */
  private around: JsonObject | undefined;

  constructor(
    line: number,
    private readonly path?: string,
  ) {
    // A path also leads through lists around its objects.
    this.deepest = path === undefined ? 2 : 2 * path.split('.').length;
    this.scanner = new JsonScanner(this.deepest + 1, 0, line);
  }

  /** Returns the records that a chunk completes. */
  feed(chunk: Uint8Array): RawRecord[] {
    const { scanner, path } = this;
    const found: RawRecord[] = [];
    // The start of the array in the chunk.
    let start = 0;
    // The start of a name in the chunk.
    let textStart = 0;
    this.enclosingStart = 0;
    let at = scanner.next(chunk, 0);
    for (; at < chunk.length && !this.hasProblem; at = scanner.next(chunk, at + 1)) {
      const byte = chunk[at];
      if (byte === LINE_FEED) continue;
      const { level, line, isInString } = scanner;
      if (this.array !== undefined) {
        if (byte !== CLOSE_BRACKET || level !== this.arrayLevel) continue;
        this.feedArray(this.array, chunk.subarray(start, at + 1), found);
        this.array = undefined;
        scanner.maxLevel = this.deepest + 1;
        continue;
      }
      if (level === 0 && byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET && !this.beginObject(byte, found)) break;
      if (this.bracketLine !== 0) {
        if (byte === OPEN_BRACE && this.openArray(found)) start = at;
        this.bracketLine = 0;
      }
      if (this.array !== undefined) continue;
      if (byte === QUOTE) {
        if (isInString) {
          this.texts[level] = [];
          textStart = at + 1;
        } else this.addText(level, chunk.subarray(textStart, at));
      } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
        this.brackets[level] = byte;
        if (level === this.objectLevel) {
          this.hasList = false;
          this.objectLine = line;
        }
        if (byte === OPEN_BRACE) this.openEnclosing(level, at);
        else this.enterEnclosing(chunk, level, at, found);
        if (byte === OPEN_BRACKET && this.mayHoldRecords(level)) {
          this.bracketLine = line;
          this.arrayLevel = level;
          // A list that is asked for is read, whatever is in it.
          if (path !== undefined && this.openArray(found)) {
            start = at + 1;
            this.bracketLine = 0;
          }
        }
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.enclosing.close(level);
        if (level === this.objectLevel) this.endObject(found);
        if (level === 0) this.isClosed = true;
      }
    }
    if (scanner.isInString && this.array === undefined) this.addText(scanner.level, chunk.subarray(textStart));
    if (this.array !== undefined) this.feedArray(this.array, chunk.subarray(start), found);
    if (this.enclosing.level !== undefined) this.enclosing.add(chunk.subarray(this.enclosingStart));
    return found;
  }

  /** Ends the input. Returns a problem if the object is incomplete. */
  end(): RawRecord[] {
    const isEmpty = this.path !== undefined && !this.hasStarted;
    return this.isClosed || this.hasProblem || isEmpty
      ? []
      : [{ line: this.scanner.line, problem: 'the object is not closed', last: true }];
  }

  /** The level of the brackets of objects with the list at the path: 1 in a list around all, otherwise 0. */
  private get objectLevel(): number {
    return this.brackets[0] === OPEN_BRACKET ? 1 : 0;
  }

  /** Returns false if there is text where no object may begin. */
  private beginObject(byte: number | undefined, found: RawRecord[]): boolean {
    const { line } = this.scanner;
    const isExpected = this.path === undefined ? !this.isClosed : byte === OPEN_BRACE || byte === OPEN_BRACKET;
    if (!isExpected) {
      const problem = this.isClosed ? 'text after the end of the object' : 'expected a JSON object around the records';
      this.hasProblem = true;
      found.push({ line, problem, last: true });
      return false;
    }
    this.isClosed = false;
    this.hasStarted = true;
    return true;
  }

  private feedArray(array: ArraySplitter, part: Uint8Array, found: RawRecord[]): void {
    const { around } = this;
    for (const record of array.feed(part))
      found.push(around === undefined || 'problem' in record ? record : { ...record, around });
  }

  /** Begins an object in a list, which may have the list with the records. */
  private openEnclosing(level: number, at: number): void {
    const isInList = level > this.objectLevel && this.brackets[level - 1] === OPEN_BRACKET;
    if (this.path === undefined || !isInList || this.enclosing.level !== undefined) return;
    this.enclosing.open(level);
    this.enclosingStart = at;
  }

  /** Ends the object that is being read if a list opens in it that leads to the records. */
  private enterEnclosing(chunk: Uint8Array, level: number, at: number, found: RawRecord[]): void {
    const { path, enclosing } = this;
    if (path === undefined || enclosing.level === undefined) return;
    const names = this.readNames(level).map(readName);
    if (!`${path}.`.startsWith(`${names.join('.')}.`)) return;
    enclosing.add(chunk.subarray(this.enclosingStart, at));
    // All brackets between the object and the list are braces.
    if (!enclosing.enterList(names.slice(enclosing.level - level)))
      found.push({ line: this.scanner.line, problem: 'the fields before this list are too long' });
  }

  private endObject(found: RawRecord[]): void {
    if (this.path !== undefined && !this.hasList)
      found.push({ line: this.objectLine, problem: `there is no list ${JSON.stringify(this.path)} in this object` });
  }

  private addText(level: number, part: Uint8Array): void {
    const text = this.texts[level];
    if (text !== undefined) text.push(...part.subarray(0, MAX_NAME_BYTES - text.length));
  }

  /** Returns whether a list that opens at a level may hold the records. */
  private mayHoldRecords(level: number): boolean {
    if (level === 0 || level > this.deepest || this.brackets[level - 1] !== OPEN_BRACE) return false;
    const isInLists = (bracket: number | undefined, at: number) =>
      bracket !== OPEN_BRACE && bracket === this.brackets[at + 1];
    if (this.brackets.slice(0, level - 1).some(isInLists)) return false;
    const path = this.readNames(level).map(readName);
    if (this.path !== undefined) return path.join('.') === this.path;
    return path.length === level && (level === 1 || isKnownList(path));
  }

  /** Returns the names of the members that lead to a level, as JSON without quotes. Lists have none. */
  private readNames(level: number): string[] {
    const names = this.texts.slice(1, level + 1).filter((_, index) => this.brackets[index] === OPEN_BRACE);
    return names.map((name) => new TextDecoder().decode(Uint8Array.from(name)));
  }

  /** Begins the records. Returns false if there was another array of objects. */
  private openArray(found: RawRecord[]): boolean {
    const { path, scanner, bracketLine, arrayLevel } = this;
    const name = this.readNames(arrayLevel).join('.');
    if (path === undefined && this.name !== undefined) {
      const names = `"${this.name}" and "${name}"`;
      const problem = `the object has several arrays of objects (${names}). On the command line, --records chooses one`;
      found.push({ line: bracketLine, problem, last: true });
      this.hasProblem = true;
      return false;
    }
    this.name = name;
    this.hasList = true;
    this.around = path === undefined ? undefined : this.enclosing.read();
    this.array = new ArraySplitter(undefined, bracketLine);
    this.array.feed(Uint8Array.of(OPEN_BRACKET));
    // The line breaks between the bracket and the first object.
    this.array.feed(new Uint8Array(scanner.line - bracketLine).fill(LINE_FEED));
    // The array reads its own elements.
    scanner.maxLevel = arrayLevel;
    return true;
  }
}

/** Returns a name with its escapes read, unless it was cut within one of them. */
function readName(name: string): string {
  const read = tryParseJson(`"${name}"`);
  return typeof read === 'string' ? read : name;
}
