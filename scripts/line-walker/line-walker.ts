/*
 * Walks lines of JSON in WebAssembly, written in AssemblyScript. `npm run line-walker` compiles it into
 * src/cli/input/line-walker-module.ts.
 *
 * The walker validates every byte of a line, as `JSON.parse` does, and notes where the values of wanted properties are.
 * It leaves a line to `JSON.parse` if it is not a JSON object, has an escaped name at the outer levels or is nested too
 * deep. The bytes must be UTF-8, and the last line must end with a line feed: no function passes it, so none checks for
 * the end. Vectors are read up to 16 bytes beyond.
 *
 * Functions take the address of a part and return the address after it, or UNSURE.
 */

const UNSURE: usize = 0;

/** Deeply nested input must not exhaust the stack. */
const MAX_DEPTH: u32 = 64;

/** A double holds whole numbers of up to this many digits exactly, and powers of ten up to 10^22. */
const SAFE_DIGITS: usize = 15;
const POWERS_OF_TEN = memory.data<f64>([
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]);

const TAB: u32 = 0x09;
const LINE_FEED: u32 = 0x0a;
const CARRIAGE_RETURN: u32 = 0x0d;
const SPACE: u32 = 0x20;
const QUOTE: u32 = 0x22;
const PLUS: u32 = 0x2b;
const COMMA: u32 = 0x2c;
const MINUS: u32 = 0x2d;
const DOT: u32 = 0x2e;
const SLASH: u32 = 0x2f;
const ZERO: u32 = 0x30;
const COLON: u32 = 0x3a;
const OPEN_BRACKET: u32 = 0x5b;
const BACKSLASH: u32 = 0x5c;
const CLOSE_BRACKET: u32 = 0x5d;
const LOWER_A: u32 = 0x61;
const LOWER_B: u32 = 0x62;
const LOWER_E: u32 = 0x65;
const LOWER_F: u32 = 0x66;
const LOWER_N: u32 = 0x6e;
const LOWER_R: u32 = 0x72;
const LOWER_T: u32 = 0x74;
const LOWER_U: u32 = 0x75;
const OPEN_BRACE: u32 = 0x7b;
const CLOSE_BRACE: u32 = 0x7d;
/** Letters differ from capitals in this bit. */
const LOWER_CASE: u32 = 0x20;

/** The words of JSON as little-endian integers. */
const TRUE_WORD: u32 = 0x65757274;
const NULL_WORD: u32 = 0x6c6c756e;
const FALS_WORD: u32 = 0x736c6166;

// The kinds of values, as in line-walker.ts of src/cli/input.
const ABSENT: u32 = 0;
const NULL: u32 = 1;
const FALSE: u32 = 2;
const TRUE: u32 = 3;
const OBJECT: u32 = 4;
const PARENT: u32 = 5;
const NUMBER: u32 = 6;
/** A string without escapes and other characters than ASCII. */
const PLAIN_STRING: u32 = 7;
/** A value for `JSON.parse`. */
const OTHER: u32 = 8;

/**
 * A slot holds the value of a property: its kind at 0, and at 8 either a number or the addresses of the value and of
 * the byte after it.
 */
const SLOT_BYTES: usize = 16;

/** A wanted name: address, length, next name of this length, index, and its group if it is a parent. */
const NAME_BYTES: usize = 20;
/** The first name of each length; longer ones share the last. */
const MAX_LENGTH: usize = 255;
const NAMES_BY_LENGTH = memory.data(4 * 256);

/** A string to search: address, length, and whether the next is an alternative to it. */
const SEARCH_BYTES: usize = 12;

/** A string that was read before: its hash at 0, its length at 4, and its bytes, at most 40, at 8. */
const STRING_BYTES: usize = 48;
const FIRST_STRING_BITS: u32 = 10;
const MAX_STRING_BITS: u32 = 18;

const VECTOR_BYTES: usize = 16;

/**
 * The names at the outer levels of the line before, by their order, because most lines have the same: a vector of the
 * name with its quotes and the colon, a mask of its bytes, their number, and the wanted name that it equals. Lines with
 * more names share the last entry.
 */
const EXPECTED_NAMES: usize = 64;
const EXPECTED_BYTES: usize = 48;
const EXPECTED = memory.data(64 * 48, 16);
const MASKS = memory.data<u8>([
  255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0,
]);
const PAGE_BYTES: usize = 0x10000;

/** The end of the memory in use. */
let top: usize = __heap_base;
let nameCount: usize = 0;
/** The slots of the outer object, and after them those of each parent. */
let slots: usize = 0;

// The strings that were read before, in order, and a hash table of their numbers + 1 that is twice as long.
let strings: usize = 0;
let stringCount: usize = 0;
let stringBits: u32 = 0;
let places: usize = 0;

let firstSearch: usize = 0;
let endOfSearches: usize = 0;

/** The kind of the value that was walked last. */
let kind: u32 = ABSENT;

// The string that was walked last.
let hasEscape: bool = false;
let isAscii: bool = false;

/** Whether the line has an escape that can stand for any character. */
let hasLongEscape: bool = false;

/** The entry of the next name in EXPECTED. */
let expected: usize = EXPECTED;

/** The wanted name that the last name equals; 0 if it is not wanted. */
let wanted: usize = 0;

/** What the last call of `next` found: the address of a line, and the numbers of lines walked and skipped. */
const FOUND = memory.data(12);

/** Returns memory for bytes. */
export function allocate(size: usize): usize {
  const address = top;
  top = (top + size + VECTOR_BYTES) & ~15;
  ensure(top);
  return address;
}

function ensure(end: usize): void {
  const pages = <i32>((end + PAGE_BYTES - 1) / PAGE_BYTES) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
}

/** Adds a wanted name. The object of a parent, which has the number of its group, is walked for wanted names too. */
export function addName(address: usize, length: usize, group: usize): void {
  const name = allocate(NAME_BYTES);
  const first = NAMES_BY_LENGTH + 4 * min(length, MAX_LENGTH);
  store<usize>(name, address);
  store<usize>(name, length, 4);
  store<usize>(name, load<usize>(first), 8);
  store<usize>(name, nameCount++, 12);
  store<usize>(name, group, 16);
  store<usize>(first, name);
}

/** Makes room for strings to search. Lines must contain one of each run of alternatives. */
export function reserveSearches(count: usize): void {
  firstSearch = endOfSearches = allocate(count * SEARCH_BYTES);
}

export function addSearch(address: usize, length: usize, hasAlternative: bool): void {
  store<usize>(endOfSearches, address);
  store<usize>(endOfSearches, length, 4);
  store<u32>(endOfSearches, hasAlternative, 8);
  endOfSearches += SEARCH_BYTES;
}

/** Ends the preparation. Returns the address of the slots. */
export function begin(groups: usize): usize {
  setStringBits(FIRST_STRING_BITS);
  slots = allocate((groups + 1) * nameCount * SLOT_BYTES);
  return slots;
}

/** Returns the address for a block of lines, which replaces the one before. */
export function open(size: usize): usize {
  if (2 * stringCount > 1 << stringBits && stringBits < MAX_STRING_BITS) setStringBits(stringBits + 2);
  ensure(top + size + VECTOR_BYTES);
  return top;
}

/** Returns the address of what `next` found. */
export function getFound(): usize {
  return FOUND;
}

/**
 * Walks to the next line that has all required strings. Returns the address of its line feed; UNSURE for a line that
 * `JSON.parse` must read, and at the end.
 */
export function next(at: usize, end: usize): usize {
  let lines: u32 = 0;
  let skipped: u32 = 0;
  let lineEnd = UNSURE;
  while (at < end) {
    lines++;
    lineEnd = walkLine(at);
    if (lineEnd === UNSURE || hasRequired(at, lineEnd)) break;
    skipped++;
    at = lineEnd + 1;
    lineEnd = UNSURE;
  }
  store<usize>(FOUND, at);
  store<u32>(FOUND, lines, 4);
  store<u32>(FOUND, skipped, 8);
  return lineEnd;
}

/**
 * Returns the number of a string of at most 40 bytes: numbers count from 0. The result is the complement of the number
 * if the string was not read before, and the lowest integer if there is no room for it.
 */
export function findString(at: usize, length: usize): i32 {
  let bits: u64 = length;
  let rest = length;
  for (let word = at; rest > 0; word += 8) {
    const bytes = rest < 8 ? load<u64>(word) << (64 - ((<u64>rest) << 3)) : load<u64>(word);
    bits = mix(bits ^ bytes);
    rest -= min<usize>(rest, 8);
  }
  const hash = <u32>(mix(bits) >> 32);
  const place = findPlace(hash, at, length);
  const number = load<u32>(place);
  if (number !== 0) return <i32>number - 1;
  if (stringCount === 1 << stringBits) return i32.MIN_VALUE;
  const added = strings + stringCount * STRING_BYTES;
  store<u32>(added, hash);
  store<usize>(added, length, 4);
  memory.copy(added + 8, at, length);
  store<u32>(place, ++stringCount);
  return -(<i32>stringCount);
}

/** Carries each bit to the highest ones, from which places are taken. */
function mix(bits: u64): u64 {
  return (bits ^ (bits >> 32)) * 0x9e3779b97f4a7;
}

/** Returns the address of the place of a string, or of the empty place where it belongs. */
function findPlace(hash: u32, at: usize, length: usize): usize {
  const last: usize = (2 << stringBits) - 1;
  let index: usize = hash >> (31 - stringBits);
  while (true) {
    const place = places + (index << 2);
    const number = load<u32>(place);
    if (number === 0) return place;
    const known = strings + (number - 1) * STRING_BYTES;
    if (load<u32>(known) === hash && load<usize>(known, 4) === length && areEqual(known + 8, at, length)) return place;
    index = (index + 1) & last;
  }
}

/** Makes room for strings. */
function setStringBits(bits: u32): void {
  const before = strings;
  stringBits = bits;
  strings = allocate(STRING_BYTES << bits);
  places = allocate(8 << bits);
  memory.copy(strings, before, stringCount * STRING_BYTES);
  memory.fill(places, 0, 8 << bits);
  for (let number: usize = 1; number <= stringCount; number++) {
    const known = strings + (number - 1) * STRING_BYTES;
    store<u32>(findPlace(load<u32>(known), known + 8, load<usize>(known, 4)), <u32>number);
  }
}

/** Walks the object at the start of a line. Returns the address of the line feed. */
function walkLine(at: usize): usize {
  if (load<u8>(at) !== OPEN_BRACE) return UNSURE;
  hasLongEscape = false;
  expected = EXPECTED;
  at = walkMembers(at, 0);
  if (at === UNSURE) return UNSURE;
  at = skipSpace(at);
  return load<u8>(at) === LINE_FEED ? at : UNSURE;
}

/** Walks the outer object, or the object of a parent in it, and fills the slots of its group. */
function walkMembers(at: usize, group: usize): usize {
  const groupSlots = slots + group * nameCount * SLOT_BYTES;
  for (let slot = groupSlots, end = slot + nameCount * SLOT_BYTES; slot < end; slot += SLOT_BYTES) {
    store<u32>(slot, ABSENT);
  }
  at = skipSpace(at + 1);
  if (load<u8>(at) === CLOSE_BRACE) return at + 1;
  while (true) {
    at = walkName(at);
    if (at === UNSURE) return UNSURE;
    const name = wanted;
    if (name === 0) at = walkValue(at, 0);
    else if (group === 0 && load<usize>(name, 16) !== 0 && load<u8>(at) === OPEN_BRACE) {
      at = walkMembers(at, load<usize>(name, 16));
      store<u32>(groupSlots + load<usize>(name, 12) * SLOT_BYTES, PARENT);
    } else {
      at = walkInto(groupSlots + load<usize>(name, 12) * SLOT_BYTES, at);
    }
    if (at === UNSURE) return UNSURE;
    at = skipSpace(at);
    if (load<u8>(at) === CLOSE_BRACE) return at + 1;
    at = skipComma(at);
    if (at === UNSURE) return UNSURE;
  }
}

/** Walks a name at the outer levels, its colon and the space after it. */
function walkName(at: usize): usize {
  const entry = expected;
  if (expected < EXPECTED + (EXPECTED_NAMES - 1) * EXPECTED_BYTES) expected += EXPECTED_BYTES;
  const size = load<usize>(entry, 32);
  const difference = v128.and(v128.xor(v128.load(at), v128.load(entry)), v128.load(entry, 16));
  if (size !== 0 && !v128.any_true(difference)) {
    wanted = load<usize>(entry, 36);
    return skipSpace(at + size);
  }
  const end = walkString(at);
  if (end === UNSURE || hasEscape) return UNSURE;
  wanted = findName(at + 1, end - at - 2);
  const newSize = end + 1 - at;
  if (newSize <= VECTOR_BYTES && load<u8>(end) === COLON) {
    v128.store(entry, v128.load(at));
    v128.store(entry, v128.load(MASKS + VECTOR_BYTES - newSize), 16);
    store<usize>(entry, newSize, 32);
    store<usize>(entry, wanted, 36);
  }
  return skipColon(end);
}

/** Walks a value and keeps it in a slot. */
function walkInto(slot: usize, at: usize): usize {
  const end = walkValue(at, 0);
  store<u32>(slot, kind);
  if (kind === NUMBER) {
    store<f64>(slot, toNumber(at, end), 8);
  } else {
    store<usize>(slot, at, 8);
    store<usize>(slot, end, 12);
  }
  return end;
}

function findName(at: usize, length: usize): usize {
  let name = load<usize>(NAMES_BY_LENGTH + 4 * min(length, MAX_LENGTH));
  while (name !== 0) {
    if (load<usize>(name, 4) === length && areEqual(load<usize>(name), at, length)) break;
    name = load<usize>(name, 8);
  }
  return name;
}

/** Compares eight bytes at a time, and shifts those beyond the end out of the last eight. */
function areEqual(left: usize, right: usize, length: usize): bool {
  while (length >= 8) {
    if (load<u64>(left) !== load<u64>(right)) return false;
    left += 8;
    right += 8;
    length -= 8;
  }
  return length === 0 || (load<u64>(left) ^ load<u64>(right)) << (64 - ((<u64>length) << 3)) === 0;
}

/** Walks any value. */
function walkValue(at: usize, depth: u32): usize {
  const first: u32 = load<u8>(at);
  if (first === QUOTE) {
    at = walkString(at);
    kind = hasEscape || !isAscii ? OTHER : PLAIN_STRING;
    return at;
  }
  if (first === MINUS || isDigit(first)) return walkNumber(at);
  if (first === OPEN_BRACE) return depth === MAX_DEPTH ? UNSURE : walkObject(at, depth + 1);
  if (first === OPEN_BRACKET) return depth === MAX_DEPTH ? UNSURE : walkArray(at, depth + 1);
  const word = load<u32>(at);
  if (word === TRUE_WORD) {
    kind = TRUE;
    return at + 4;
  }
  if (word === NULL_WORD) {
    kind = NULL;
    return at + 4;
  }
  kind = FALSE;
  return word === FALS_WORD && load<u8>(at, 4) === LOWER_E ? at + 5 : UNSURE;
}

/** Walks a string with its quotes. */
function walkString(at: usize): usize {
  if (load<u8>(at) !== QUOTE) return UNSURE;
  at++;
  hasEscape = false;
  let high = 0;
  while (true) {
    const bytes = v128.load(at);
    const ends = v128.or(i8x16.eq(bytes, i8x16.splat(<i8>QUOTE)), i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH)));
    const stops = i8x16.bitmask(v128.or(ends, i8x16.lt_u(bytes, i8x16.splat(<i8>SPACE))));
    // The highest bit of each byte: set in characters beyond ASCII.
    const highBits = i8x16.bitmask(bytes);
    if (stops === 0) {
      high |= highBits;
      at += VECTOR_BYTES;
      continue;
    }
    const length = ctz(stops);
    high |= highBits & ((1 << length) - 1);
    at += length;
    if (load<u8>(at) === QUOTE) {
      isAscii = high === 0;
      return at + 1;
    }
    if (load<u8>(at) !== BACKSLASH) return UNSURE;
    hasEscape = true;
    at = skipEscape(at + 1);
    if (at === UNSURE) return UNSURE;
  }
}

/** Skips an escape after its backslash. */
function skipEscape(at: usize): usize {
  const escaped: u32 = load<u8>(at);
  switch (escaped) {
    case QUOTE:
    case BACKSLASH:
    case SLASH:
    case LOWER_B:
    case LOWER_F:
    case LOWER_N:
    case LOWER_R:
    case LOWER_T:
      return at + 1;
    case LOWER_U:
      hasLongEscape = true;
      for (let digit = at + 1; digit <= at + 4; digit++) if (!isHexDigit(load<u8>(digit))) return UNSURE;
      return at + 5;
    default:
      return UNSURE;
  }
}

function isDigit(byte: u32): bool {
  return byte - ZERO < 10;
}

function isHexDigit(byte: u32): bool {
  return isDigit(byte) || (byte | LOWER_CASE) - LOWER_A < 6;
}

/** Walks a number. It has the kind NUMBER if it has no exponent and at most 15 digits. */
function walkNumber(at: usize): usize {
  if (load<u8>(at) === MINUS) at++;
  const start = at;
  at = skipDigits(at);
  let length = at - start;
  if (length === 0 || (length > 1 && load<u8>(start) === ZERO)) return UNSURE;
  if (load<u8>(at) === DOT) {
    const decimals = at + 1;
    at = skipDigits(decimals);
    if (at === decimals) return UNSURE;
    length += at - decimals;
  }
  kind = length <= SAFE_DIGITS ? NUMBER : OTHER;
  if ((load<u8>(at) | LOWER_CASE) !== LOWER_E) return at;
  kind = OTHER;
  return skipExponent(at + 1);
}

/** Returns the value of a number: its digits divided by a power of ten, both exact, so that it is rounded once. */
function toNumber(at: usize, end: usize): f64 {
  const isNegative = load<u8>(at) === MINUS;
  if (isNegative) at++;
  let digits: u64 = 0;
  let decimals: usize = 0;
  for (; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte === DOT) decimals = end - at - 1;
    else digits = 10 * digits + (byte - ZERO);
  }
  const size = <f64>digits / load<f64>(POWERS_OF_TEN + (decimals << 3));
  return isNegative ? -size : size;
}

function skipDigits(at: usize): usize {
  while (true) {
    const values = i8x16.sub(v128.load(at), i8x16.splat(<i8>ZERO));
    const length: usize = ctz(~i8x16.bitmask(i8x16.lt_u(values, i8x16.splat(10))));
    at += length;
    if (length < VECTOR_BYTES) return at;
  }
}

/** Skips an exponent after its letter. */
function skipExponent(at: usize): usize {
  if (load<u8>(at) === PLUS || load<u8>(at) === MINUS) at++;
  const end = skipDigits(at);
  return end === at ? UNSURE : end;
}

function walkObject(at: usize, depth: u32): usize {
  at = skipSpace(at + 1);
  while (load<u8>(at) !== CLOSE_BRACE) {
    at = walkString(at);
    if (at === UNSURE) return UNSURE;
    at = skipColon(at);
    if (at === UNSURE) return UNSURE;
    at = walkElement(at, depth, CLOSE_BRACE);
    if (at === UNSURE) return UNSURE;
  }
  kind = OBJECT;
  return at + 1;
}

function walkArray(at: usize, depth: u32): usize {
  at = skipSpace(at + 1);
  while (load<u8>(at) !== CLOSE_BRACKET) {
    at = walkElement(at, depth, CLOSE_BRACKET);
    if (at === UNSURE) return UNSURE;
  }
  kind = OTHER;
  return at + 1;
}

/** Walks a value in an object or array, to the bracket that closes it or to the start of what follows a comma. */
function walkElement(at: usize, depth: u32, close: u32): usize {
  at = walkValue(at, depth);
  if (at === UNSURE) return UNSURE;
  at = skipSpace(at);
  if (load<u8>(at) === close) return at;
  at = skipComma(at);
  // Nothing follows the last comma.
  return at === UNSURE || load<u8>(at) === close ? UNSURE : at;
}

/** Skips a colon and the space around it. */
function skipColon(at: usize): usize {
  at = skipSpace(at);
  return load<u8>(at) === COLON ? skipSpace(at + 1) : UNSURE;
}

/** Skips a comma and the space after it. */
function skipComma(at: usize): usize {
  return load<u8>(at) === COMMA ? skipSpace(at + 1) : UNSURE;
}

/** Skips white space except line feeds. */
function skipSpace(at: usize): usize {
  while (true) {
    const byte: u32 = load<u8>(at);
    if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) return at;
    at++;
  }
}

/** Returns whether a line has one of each run of alternatives, or may have it in an escaped spelling. */
function hasRequired(at: usize, end: usize): bool {
  let isFound = false;
  for (let search = firstSearch; search < endOfSearches; search += SEARCH_BYTES) {
    if (!isFound) isFound = contains(at, end, load<usize>(search), load<usize>(search, 4));
    if (load<u32>(search, 8)) continue;
    if (!isFound) return hasLongEscape;
    isFound = false;
  }
  return true;
}

/** Returns whether bytes contain a string. Compares the whole string where its first and last byte match. */
function contains(at: usize, end: usize, text: usize, length: usize): bool {
  if (length === 0) return true;
  const last = length - 1;
  const firstByte = i8x16.splat(load<i8>(text));
  const lastByte = i8x16.splat(load<i8>(text + last));
  for (; at + last < end; at += VECTOR_BYTES) {
    const matches = v128.and(i8x16.eq(v128.load(at), firstByte), i8x16.eq(v128.load(at + last), lastByte));
    for (let hits = i8x16.bitmask(matches); hits !== 0; hits &= hits - 1) {
      const place = at + ctz(hits);
      if (place + last >= end) return false;
      if (areEqual(text, place, length)) return true;
    }
  }
  return false;
}
