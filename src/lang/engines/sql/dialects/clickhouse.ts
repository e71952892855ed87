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
  // The operand once, so that chains of `in` are not one subselect in the other. What `toString` makes of a Bool depends on settings.
  'string.boolean': (operand: Sql) => fragment(PRECEDENCE.primary)`['false', 'true'][${infix(operand, '+', raw('1'), PRECEDENCE.sum)}]`,
};

const TYPES = { string: 'String', number: 'Float64', boolean: 'Bool' };

/**
 * ClickHouse, from 26 on. A `json` column is a `String`: the type `JSON` drops nulls, and does not tell a property `a.b` from `b`
 * in `a`. A `map` column is a `Map(String, String)`.
 */
export const clickhouse: Dialect = {
  name: 'ClickHouse',
  setup: CLICKHOUSE_SETUP,
  // A backslash escapes in names as it does in texts: https://clickhouse.com/docs/sql-reference/syntax#identifiers
  quoteName: (name) => `\`${name.replace(/[\\`]/g, '\\$&')}\``,
  columnKey: (name) => name,
  // https://clickhouse.com/docs/sql-reference/syntax#defining-and-using-query-parameters
  placeholder: (number, value) => `{p${number}:${TYPES[typeof value as keyof typeof TYPES]}}`,
  // Drivers refuse to bind what is too large to be a safe integer, infinities too.
  bound: (value) => (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? String(value) : value),
  overloads: OVERLOADS,
  infinity: { positive: INFINITY, negative: raw('-inf') },
  finite: (number) => call('nullIf', call('ifNotFinite', number, INFINITY), INFINITY),
  isFinite: (number) => call('isFinite', number),
  isTrue,
  isNotTrue: (condition) => not(isTrue(condition)),
  readProperty(column, rest, name) {
    if (rest.kind === 'json') {
      const read = (how: string) => shareExpression(call(how, orEmpty(column), bindParameter(name)));
      const [json, content] = [read('onwhere_property'), read('onwhere_content')];
      const isUndefined = or(compare(json, '=', raw("''")), startsWith(json, "'{'"));
      return {
        ...jsonChannels(json, content),
        undefined: isUndefined,
        json,
        casts: { number: read('onwhere_number'), boolean: read('onwhere_boolean') },
      };
    }
    const value = fragment(PRECEDENCE.primary)`${wrapOperand(column, PRECEDENCE.primary)}[${bindParameter(name)}]`;
    if (rest.values === 'text') return textOfMap(column, name, value);
    return jsonChannels(
      shareExpression(call('onwhere_json', value)),
      shareExpression(call('JSONExtractString', value)),
    );
  },
  readList: (column) => jsonList(orEmpty(column)),
  elementKeys: {
    string: (text) => infix(raw(`'"'`), '||', text, PRECEDENCE.concat),
    number: (number) => call('toString', infix(number, '+', raw('0.'), PRECEDENCE.sum)),
    boolean: OVERLOADS['string.boolean'],
  },
  // A list without elements stands for no list, and is equal to itself.
  hasElement: (list, key) => caseWhen([[isPresent(list), call('has', list.sql, key)]]),
  areEqual: (left, right) => and(isPresent(left), compare(left.sql, '=', right.sql)),
  elementNames: (list) => call('onwhere_names', list),
  unnest: (array) => `arrayJoin(${array})`,
  single: (text) => fragment(PRECEDENCE.primary)`[${text}]`,
};

/** A map has the empty text for a name that it has not: https://clickhouse.com/docs/sql-reference/data-types/map */
function textOfMap(column: Sql, name: string, value: Sql): Channels {
  const present = call('mapContains', column, bindParameter(name));
  const isOneOf = (texts: readonly string[]) => isIn(value, texts.map(bindParameter));
  return {
    string: {
      sql: shareExpression(caseWhen([[present, value]])),
      present,
      isOneOf: (texts) => (texts.includes('') ? and(present, isOneOf(texts)) : isOneOf(texts)),
    },
  };
}

/**
 * The channels of a value in JSON, or of the empty text for none. How the text begins tells the type.
 *
 * @param content The characters of a text; of anything else the JSON.
 */
function jsonChannels(json: Sql, content: Sql): Channels {
  const isJson = (text: string) => compare(json, '=', raw(`'${text}'`));
  const isText = startsWith(json, `'"'`);
  const string = shareExpression(caseWhen([[isText, call('JSONExtractString', json)]]));
  return {
    number: { sql: shareExpression(call('onwhere_decimal', json)), isFinite: false },
    string: { sql: string, present: isText, isOneOf: (texts) => isOneOf(texts, json, string, content) },
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
    list: jsonList(json),
  };
}

/** Texts that are no JSON are only ever the content of a text, and those without anything that could be escaped are always written the same way. */
function isOneOf(texts: readonly string[], json: Sql, string: Sql, content: Sql): Sql {
  const every = (pattern: RegExp) => texts.every((text) => pattern.test(text));
  if (every(/^(?!true$|false$)[^-0-9[{]/)) return isIn(content, texts.map(bindParameter));
  const arePlain = every(/^[^"\\/\p{C}\p{Z}]*$|^[ \w.-]*$/u);
  const quoted = texts.map((text) => bindParameter(`"${text}"`));
  return arePlain ? isIn(json, quoted) : isIn(string, texts.map(bindParameter));
}

function jsonList(json: Sql): Channel {
  return { sql: shareExpression(call('onwhere_list', json)), present: startsWith(json, "'['") };
}

/** What tells of every row how it begins must not be NULL. */
function orEmpty(text: Sql): Sql {
  return call('ifNull', text, raw("''"));
}

function startsWith(text: Sql, prefix: string): Sql {
  return call('startsWith', text, raw(prefix));
}

function isTrue(condition: Sql): Sql {
  return call('ifNull', condition, FALSE);
}
