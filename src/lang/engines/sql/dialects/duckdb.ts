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

/** DuckDB, from 1.4 on. */
export const duckdb: Dialect = {
  name: 'DuckDB',
  setup: DUCKDB_SETUP,
  quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
  // Letters beyond ASCII keep their case: https://duckdb.org/docs/stable/sql/dialect/keywords_and_identifiers
  columnKey: (name) => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  placeholder: (number, value) => (typeof value === 'number' ? `$${number}::DOUBLE` : `$${number}`),
  // A whole number is bound as a BIGINT, which does not hold all.
  bound: (value) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? String(value) : value,
  overloads: OVERLOADS,
  infinity: { positive: raw("'Infinity'"), negative: raw("'-Infinity'") },
  finite: (number) => caseWhen([[call('isfinite', number), number]]),
  isFinite: (number) => call('isfinite', number),
  isTrue: (condition) => coalesce(condition, raw('false')),
  isNotTrue: (condition) => postfix(condition, 'IS NOT TRUE'),
  readProperty(column, rest, name) {
    if (rest.kind === 'json') {
      const json = shareExpression(call('json_extract', column, bindParameter(pointerTo(name))));
      return { ...jsonChannels(json), json: castTo(json, 'VARCHAR'), casts: jsonCasts(json) };
    }
    const value = shareExpression(
      fragment(PRECEDENCE.primary)`${wrapOperand(column, PRECEDENCE.primary)}[${bindParameter(name)}]`,
    );
    // What a map holds is written as whoever made it wrote it.
    return rest.values === 'json' ? jsonChannels(shareExpression(call('json', value))) : { string: { sql: value } };
  },
  readList: (column) => jsonList(column),
  elementKeys: {
    string: (text) => infix(raw(`'"'`), '||', text, PRECEDENCE.concat),
    number: (number) => call('onwhere_number_key', number),
    boolean: (boolean) => castTo(boolean, 'VARCHAR'),
  },
  areEqual: (left, right) => compare(left.sql, '=', right.sql),
  hasElement: (list, key) => call('list_contains', list.sql, key),
  elementNames: (list) => call('onwhere_names', list),
  unnest: (array) => `unnest(${array})`,
  single: (text) => fragment(PRECEDENCE.primary)`[${text}]`,
};

function castTo(sql: Sql, type: string): Sql {
  return fragment(PRECEDENCE.primary)`CAST(${sql} AS ${raw(type)})`;
}

/** A path that takes every name as it is: https://duckdb.org/docs/stable/data/json/json_functions */
function pointerTo(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function jsonCasts(json: Sql): NonNullable<Channels['casts']> {
  return {
    number: call('onwhere_json_number', json),
    boolean: call('onwhere_json_boolean', json),
    datetime: call('onwhere_json_time', json),
  };
}

/**
 * The channels of a value in JSON as DuckDB writes it: how its text begins tells its type, and a text is written as `JSON.stringify`
 * does, but for control characters, which it escapes with capital letters (`\u001B`).
 */
function jsonChannels(json: Sql): Channels {
  const begins = (pattern: string) => shareExpression(compare(json, 'LIKE', raw(pattern)));
  const isJson = (...texts: readonly string[]) =>
    isIn(
      json,
      texts.map((text) => raw(`'${text}'`)),
    );
  const isText = isTrue(begins(`'"%'`));
  const text = shareExpression(caseWhen([[begins(`'"%'`), infix(json, '->>', raw("'$'"), PRECEDENCE.primary)]]));
  return {
    number: {
      sql: shareExpression(fragment(PRECEDENCE.primary)`TRY_CAST(${castTo(json, 'VARCHAR')} AS DOUBLE)`),
      isFinite: false,
    },
    string: {
      sql: text,
      present: isText,
      isOneOf(texts) {
        if (texts.some((one) => /\p{Cc}/u.test(one))) return isIn(text, texts.map(bindParameter));
        const quoted = texts.map((one) => bindParameter(JSON.stringify(one)));
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
    list: jsonList(json),
  };
}

function jsonList(json: Sql) {
  const isList = compare(json, 'LIKE', raw("'[%'"));
  return { sql: shareExpression(caseWhen([[isList, call('onwhere_list', json)]])), present: isTrue(isList) };
}

function isTrue(condition: Sql): Sql {
  return coalesce(condition, raw('false'));
}
