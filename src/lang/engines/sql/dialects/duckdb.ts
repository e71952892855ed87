import type { Channels } from '../channels.ts';
import type { Dialect } from '../dialect.ts';
import { type Overloads, STANDARD } from '../overloads.ts';
import {
  bindParameter,
  call,
  callMacro,
  caseWhen,
  coalesce,
  compare,
  fragment,
  infix,
  isIn,
  PRECEDENCE,
  postfix,
  raw,
  type Sql,
  shareExpression,
  wrapOperand,
} from '../sql.ts';
import { DUCKDB_SETUP } from './duckdb-setup.ts';

/** Numbers are doubles, with IEEE arithmetic: https://duckdb.org/docs/stable/sql/data_types/numeric */
// biome-ignore format: a table, to be read by its rows
const OVERLOADS: Overloads = {
  ...STANDARD,
  'divide': (left: Sql, right: Sql) => infix(left, '/', right, PRECEDENCE.product),
  // `fmod` has the sign of the divisor, `%` that of the dividend: https://duckdb.org/docs/stable/sql/functions/numeric
  'remainder': (left: Sql, right: Sql) => infix(left, '%', right, PRECEDENCE.product),
  'round': (operand: Sql) => call('round', operand),
  'string.number': (operand: Sql) => callMacro('onwhere_text', operand),
  'string.boolean': (operand: Sql) => castTo(operand, 'VARCHAR'),
  'number.string': (operand: Sql) => callMacro('onwhere_decimal', operand),
  'number.boolean': (operand: Sql) => castTo(operand, 'DOUBLE'),
  'datetime.string': (operand: Sql) => callMacro('onwhere_time', operand),
  'datetime.number': (operand: Sql) => callMacro('onwhere_seconds', operand),
};

/** DuckDB 1.4 or newer. */
export const duckdb: Dialect = {
  name: 'DuckDB',
  setup: DUCKDB_SETUP,
  quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
  // Only ASCII letters ignore case: https://duckdb.org/docs/stable/sql/dialect/keywords_and_identifiers
  getColumnKey: (name) => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  placeholder: (number, value) => (typeof value === 'number' ? `$${number}::DOUBLE` : `$${number}`),
  // The driver binds a whole number as a BIGINT, which does not have the range of a double.
  toBindable: (value) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value,
  overloads: OVERLOADS,
  infinity: { positive: raw("'Infinity'"), negative: raw("'-Infinity'") },
  nullIfNotFinite: (number) => caseWhen([[call('isfinite', number), number]]),
  isFinite: (number) => call('isfinite', number),
  isTrue: (condition) => coalesce(condition, raw('false')),
  isNotTrue: (condition) => postfix(condition, 'IS NOT TRUE'),
  readProperty(column, rest, name) {
    if (rest.kind === 'json') {
      const json = shareExpression(call('json_extract', column, bindParameter(toJsonPointer(name))));
      return { ...createJsonChannels(json), json: castTo(json, 'VARCHAR'), casts: createJsonCasts(json) };
    }
    const value = shareExpression(
      fragment(PRECEDENCE.primary)`${wrapOperand(column, PRECEDENCE.primary)}[${bindParameter(name)}]`,
    );
    // JSON in a map can have any formatting; `json` normalizes it.
    return rest.values === 'json'
      ? createJsonChannels(shareExpression(call('json', value)))
      : { string: { sql: value } };
  },
  readList: (column) => createJsonList(column),
  elementKeys: {
    string: (string) => infix(raw(`'"'`), '||', string, PRECEDENCE.concat),
    number: (number) => call('onwhere_number_key', number),
    boolean: (boolean) => castTo(boolean, 'VARCHAR'),
  },
  areEqual: (left, right) => compare(left.sql, '=', right.sql),
  hasElement: (list, key) => call('list_contains', list.sql, key),
  getElementNames: (list) => call('onwhere_names', list),
  unnest: (array) => `unnest(${array})`,
  createArray: (string) => fragment(PRECEDENCE.primary)`[${string}]`,
};

function castTo(sql: Sql, type: string): Sql {
  return fragment(PRECEDENCE.primary)`CAST(${sql} AS ${raw(type)})`;
}

/** Returns a JSON pointer, which can express any name: https://duckdb.org/docs/stable/data/json/json_functions */
function toJsonPointer(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function createJsonCasts(json: Sql): NonNullable<Channels['casts']> {
  return {
    number: call('onwhere_json_number', json),
    boolean: call('onwhere_json_boolean', json),
    datetime: call('onwhere_json_time', json),
  };
}

/**
 * Returns the channels of a JSON value in DuckDB's formatting. The first characters determine the type. DuckDB escapes
 * strings like `JSON.stringify`, except for control characters, which it writes with capital letters (`\u001B`).
 */
function createJsonChannels(json: Sql): Channels {
  const startsWith = (pattern: string) => shareExpression(compare(json, 'LIKE', raw(pattern)));
  const isJson = (...strings: readonly string[]) =>
    isIn(
      json,
      strings.map((string) => raw(`'${string}'`)),
    );
  const isString = isTrue(startsWith(`'"%'`));
  const string = shareExpression(caseWhen([[startsWith(`'"%'`), infix(json, '->>', raw("'$'"), PRECEDENCE.primary)]]));
  return {
    number: {
      sql: shareExpression(fragment(PRECEDENCE.primary)`TRY_CAST(${castTo(json, 'VARCHAR')} AS DOUBLE)`),
      isFinite: false,
    },
    string: {
      sql: string,
      present: isString,
      isOneOf(strings) {
        if (strings.some((one) => /\p{Cc}/u.test(one))) return isIn(string, strings.map(bindParameter));
        const quoted = strings.map((one) => bindParameter(JSON.stringify(one)));
        return isIn(json, quoted);
      },
    },
    boolean: {
      sql: shareExpression(
        caseWhen([
          [isJson('true'), raw('true')],
          [isJson('false'), raw('false')],
        ]),
      ),
      present: isTrue(isJson('true', 'false')),
      isTrue: isJson('true'),
    },
    null: isTrue(isJson('null')),
    list: createJsonList(json),
  };
}

function createJsonList(json: Sql) {
  const isList = compare(json, 'LIKE', raw("'[%'"));
  return { sql: shareExpression(caseWhen([[isList, call('onwhere_list', json)]])), present: isTrue(isList) };
}

function isTrue(condition: Sql): Sql {
  return coalesce(condition, raw('false'));
}
