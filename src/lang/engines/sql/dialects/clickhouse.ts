import type { Channel, Channels } from '../channels.ts';
import { isPresent } from '../condition.ts';
import type { Dialect } from '../dialect.ts';
import { type Overloads, STANDARD } from '../overloads.ts';
import {
  and,
  bindParameter,
  call,
  callMacro,
  caseWhen,
  compare,
  FALSE,
  fragment,
  infix,
  isIn,
  not,
  or,
  PRECEDENCE,
  raw,
  type Sql,
  shareExpression,
  TRUE,
  wrapOperand,
} from '../sql.ts';
import { CLICKHOUSE_SETUP } from './clickhouse-setup.ts';

const INFINITY = raw('inf');

// biome-ignore format: a table, to be read by its rows
const OVERLOADS: Overloads = {
  ...STANDARD,
  'divide': (left: Sql, right: Sql) => infix(left, '/', right, PRECEDENCE.product),
  'part': (left: Sql, right: Sql) => compare(call('position', right, left), '>', raw('0')),
  'string.number': (operand: Sql) => callMacro('onwhere_spelled', call('toString', infix(operand, '+', raw('0.'), PRECEDENCE.sum))),
  'number.boolean': (operand: Sql) => call('toFloat64', operand),
  // The operand occurs once, so that chains of `in` do not nest subselects. `toString` of a Bool depends on settings.
  'string.boolean': (operand: Sql) => fragment(PRECEDENCE.primary)`['false', 'true'][${infix(operand, '+', raw('1'), PRECEDENCE.sum)}]`,
};

const TYPES = { string: 'String', number: 'Float64', boolean: 'Bool' };

/**
 * ClickHouse 26 or newer. A `json` column is a `String`: the type `JSON` drops nulls and does not distinguish a
 * property `a.b` from `b` in `a`. A `map` column is a `Map(String, String)`.
 */
export const clickhouse: Dialect = {
  name: 'ClickHouse',
  setup: CLICKHOUSE_SETUP,
  // Backslashes escape in names, as in strings: https://clickhouse.com/docs/sql-reference/syntax#identifiers
  quoteName: (name) => `\`${name.replace(/[\\`]/g, '\\$&')}\``,
  getColumnKey: (name) => name,
  // https://clickhouse.com/docs/sql-reference/syntax#defining-and-using-query-parameters
  placeholder: (number, value) => `{p${number}:${TYPES[typeof value as keyof typeof TYPES]}}`,
  // Drivers refuse to bind numbers beyond the safe integers, including infinities.
  toBindable: (value) =>
    typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? String(value) : value,
  overloads: OVERLOADS,
  infinity: { positive: INFINITY, negative: raw('-inf') },
  nullIfNotFinite: (number) => call('nullIf', call('ifNotFinite', number, INFINITY), INFINITY),
  isFinite: (number) => call('isFinite', number),
  isTrue,
  isNotTrue: (condition) => not(isTrue(condition)),
  // The operand occurs once: with a tree of conditions, the planner copies it for each of them and takes all memory.
  lookUpStep(at, { limits, values }) {
    const list = (numbers: readonly number[]) => raw(`[${numbers.map((number) => `${number}.`).join(', ')}]`);
    const starts = list([Number.MIN_SAFE_INTEGER, ...limits]);
    return call('transform', call('roundDown', at, starts), starts, list(values), raw('0.'));
  },
  readProperty(column, rest, name) {
    if (rest.kind === 'json') {
      const read = (functionName: string) =>
        shareExpression(call(functionName, nullToEmpty(column), bindParameter(name)));
      const [json, content] = [read('onwhere_property'), read('onwhere_content')];
      const isUndefined = or(compare(json, '=', raw("''")), startsWith(json, "'{'"));
      return {
        ...createJsonChannels(json, content),
        undefined: isUndefined,
        json,
        casts: { number: read('onwhere_number'), boolean: read('onwhere_boolean') },
      };
    }
    const value = fragment(PRECEDENCE.primary)`${wrapOperand(column, PRECEDENCE.primary)}[${bindParameter(name)}]`;
    if (rest.values === 'text') return createMapChannels(column, name, value);
    return createJsonChannels(
      shareExpression(call('onwhere_json', value)),
      shareExpression(call('JSONExtractString', value)),
    );
  },
  readList: (column) => createJsonList(nullToEmpty(column)),
  elementKeys: {
    string: (string) => infix(raw(`'"'`), '||', string, PRECEDENCE.concat),
    number: (number) => call('toString', infix(number, '+', raw('0.'), PRECEDENCE.sum)),
    boolean: OVERLOADS['string.boolean'],
  },
  // An array of only `NO_LIST` means that there is no list. It equals itself, so the test for presence is needed.
  hasElement: (list, key) => caseWhen([[isPresent(list), call('has', list.sql, key)]]),
  areEqual: (left, right) => and(isPresent(left), compare(left.sql, '=', right.sql)),
  getElementNames: (list) => call('onwhere_names', list),
  unnest: (array) => `arrayJoin(${array})`,
  createArray: (string) => fragment(PRECEDENCE.primary)`[${string}]`,
};

/** A map returns the empty string for a missing name: https://clickhouse.com/docs/sql-reference/data-types/map */
function createMapChannels(column: Sql, name: string, value: Sql): Channels {
  const present = call('mapContains', column, bindParameter(name));
  const isOneOf = (strings: readonly string[]) => isIn(value, strings.map(bindParameter));
  return {
    string: {
      sql: shareExpression(caseWhen([[present, value]])),
      present,
      isOneOf: (strings) => (strings.includes('') ? and(present, isOneOf(strings)) : isOneOf(strings)),
    },
  };
}

/**
 * Returns the channels of a value in JSON, or of the empty string for none. The first characters determine the type.
 *
 * @param content The unescaped content of a string; the JSON of any other value.
 */
function createJsonChannels(json: Sql, content: Sql): Channels {
  const isJson = (string: string) => compare(json, '=', raw(`'${string}'`));
  const isString = startsWith(json, `'"'`);
  const string = shareExpression(caseWhen([[isString, call('JSONExtractString', json)]]));
  return {
    number: { sql: shareExpression(call('onwhere_decimal', json)), isFinite: false },
    string: { sql: string, present: isString, isOneOf: (strings) => isOneOf(strings, json, string, content) },
    boolean: {
      sql: shareExpression(
        caseWhen([
          [isJson('true'), TRUE],
          [isJson('false'), FALSE],
        ]),
      ),
      present: isIn(json, [raw("'true'"), raw("'false'")]),
      isTrue: isJson('true'),
    },
    null: isJson('null'),
    list: createJsonList(json),
  };
}

/**
 * Tests for several strings, without decoding the value where possible. If a string is not itself JSON, it can only be
 * the content of a string. Without characters that may be escaped, a string has only one JSON form.
 */
function isOneOf(strings: readonly string[], json: Sql, string: Sql, content: Sql): Sql {
  const every = (pattern: RegExp) => strings.every((string) => pattern.test(string));
  if (every(/^(?!true$|false$)[^-0-9[{]/)) return isIn(content, strings.map(bindParameter));
  const arePlain = every(/^[^"\\/\p{C}\p{Z}]*$|^[ \w.-]*$/u);
  const quoted = strings.map((string) => bindParameter(`"${string}"`));
  return arePlain ? isIn(json, quoted) : isIn(string, strings.map(bindParameter));
}

function createJsonList(json: Sql): Channel {
  return { sql: shareExpression(call('onwhere_list', json)), present: startsWith(json, "'['") };
}

/** Replaces NULL with the empty string, so that tests of the first characters are never NULL. */
function nullToEmpty(string: Sql): Sql {
  return call('ifNull', string, raw("''"));
}

function startsWith(string: Sql, prefix: string): Sql {
  return call('startsWith', string, raw(prefix));
}

function isTrue(condition: Sql): Sql {
  return call('ifNull', condition, FALSE);
}
