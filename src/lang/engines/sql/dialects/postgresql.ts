import type { Expression } from '../../../ast.ts';
import type { Channel, Channels } from '../channels.ts';
import type { Dialect } from '../dialect.ts';
import { encodeString } from '../encode-element.ts';
import { callHelper, STANDARD, type Template } from '../overloads.ts';
import {
  and,
  bindParameter,
  call,
  caseWhen,
  compare,
  fragment,
  infix,
  isIn,
  PRECEDENCE,
  postfix,
  raw,
  type Sql,
  shareExpression,
  TRUE,
  wrapOperand,
} from '../sql.ts';
import { POSTGRESQL_SETUP } from './postgresql-setup.ts';

const INFINITY = { positive: raw(`'infinity'::float8`), negative: raw(`'-infinity'::float8`) };

const JSON_TRUE = raw(`'true'::jsonb`);

const TYPES = { string: 'text', number: 'float8', boolean: 'boolean' } as const;

/**
 * PostgreSQL 15 or newer, with properties in columns or in `jsonb`. Text columns must have a deterministic collation,
 * which is the default.
 */
export const postgresql: Dialect = {
  name: 'PostgreSQL',
  setup: POSTGRESQL_SETUP,
  resultsAreFinite: true,
  quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
  // Longer names are truncated: https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
  getColumnKey: (name) => truncateToBytes(name, 63),
  placeholder: (number, value) => `$${number}::${TYPES[typeof value as keyof typeof TYPES]}`,
  // Without it, the planner repeats the expression of a column at each use:
  // https://www.postgresql.org/docs/current/explicit-joins.html
  fence: ' OFFSET 0',

  // biome-ignore format: a table, to be read by its rows
  overloads: {
    ...STANDARD,
    'add': callHelper('add'),
    'subtract': callHelper('subtract'),
    'multiply': callHelper('multiply'),
    'divide': callHelper('divide'),
    'part': (left: Sql, right: Sql) => compare(call('strpos', collateBytes(right), left), '>', raw('0')),
    'less.string': createStringOrder('<'),
    'atMost.string': createStringOrder('<='),
    'greater.string': createStringOrder('>'),
    'atLeast.string': createStringOrder('>='),
    'number.boolean': (operand: Sql) => cast(cast(operand, 'int'), 'float8'),
  },
  infinity: INFINITY,
  nullIfNotFinite: (number) => caseWhen([[testFinite(number), number]]),
  isFinite: testFinite,
  isTrue,
  isNotTrue: (condition) => fragment(PRECEDENCE.is)`${wrapOperand(condition, PRECEDENCE.compare)} IS NOT TRUE`,

  explainUnsupported,
  readProperty: (column, rest, name) => {
    if (rest.kind === 'map') throw new TypeError('PostgreSQL has no maps. Use columns or a jsonb column.');
    return readJson(column, name);
  },
  readList,

  elementKeys: {
    string: (string) => infix(raw(`'${encodeString('')}'`), '||', string, PRECEDENCE.concat),
    number: (number) => call('onwhere_text', number),
    boolean: (boolean) => cast(boolean, 'text'),
  },
  areEqual: (left, right) => compare(left.sql, '=', right.sql),
  hasElement: (list, key) => compare(key, '=', call('ANY', list.sql)),
  getElementNames: (list) => call('onwhere_names', list),
  unnest: (array) => `unnest(${array})`,
  createArray: (string) => fragment(PRECEDENCE.primary)`ARRAY[${string}]`,
};

/** Reads a property from a `jsonb` column. */
function readJson(column: Sql, name: string): Channels {
  const json = shareExpression(infix(column, '->', bindParameter(name), PRECEDENCE.concat));
  const readType = (type: string, value: Sql) => shareExpression(caseWhen([[testType(json, type), value]]));
  const number = shareExpression(call('onwhere_number', json));
  return {
    number: { sql: number, isFinite: true },
    string: {
      sql: readType('string', infix(json, '#>>', raw(`'{}'`), PRECEDENCE.concat)),
      present: hasType(json, 'string'),
      isOneOf: (strings) => {
        const [only = '', ...others] = strings;
        if (others.length > 0) return isIn(json, strings.map(bindJson));
        // Faster, and can use an index on the whole column:
        // https://www.postgresql.org/docs/current/datatype-json.html#JSON-INDEXING
        return infix(column, '@>', bindJson({ [name]: only }), PRECEDENCE.concat);
      },
    },
    boolean: {
      sql: readType('boolean', compare(json, '=', JSON_TRUE)),
      present: hasType(json, 'boolean'),
      isTrue: compare(json, '=', JSON_TRUE),
    },
    null: hasType(json, 'null'),
    list: readList(json),
    json: cast(json, 'text'),
    undefined: caseWhen(
      [
        [testType(json, 'number'), postfix(number, 'IS NULL')],
        [testType(json, 'object'), TRUE],
      ],
      postfix(json, 'IS NULL'),
    ),
  };
}

function bindJson(value: unknown): Sql {
  return cast(bindParameter(JSON.stringify(value)), 'jsonb');
}

function readList(json: Sql): Channel {
  return { sql: shareExpression(call('onwhere_list', json)), present: hasType(json, 'array') };
}

function testType(json: Sql, type: string): Sql {
  return compare(call('jsonb_typeof', json), '=', raw(`'${type}'`));
}

function hasType(json: Sql, type: string): Sql {
  return isTrue(testType(json, type));
}

function isTrue(condition: Sql): Sql {
  return fragment(PRECEDENCE.is)`${wrapOperand(condition, PRECEDENCE.compare)} IS TRUE`;
}

/**
 * Tests for a finite number. NaN sorts above infinity, see
 * https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-FLOAT
 */
function testFinite(number: Sql): Sql {
  return and(compare(number, '<', INFINITY.positive), compare(number, '>', INFINITY.negative));
}

/** Orders strings by their bytes, which in UTF-8 is the order of their code points. */
function collateBytes(string: Sql): Sql {
  return fragment(PRECEDENCE.cast)`${wrapOperand(string, PRECEDENCE.cast)} COLLATE "C"`;
}

function createStringOrder(operator: string): Template {
  return (left: Sql, right: Sql) => compare(left, operator, collateBytes(right));
}

function cast(operand: Sql, type: string): Sql {
  return fragment(PRECEDENCE.cast)`${wrapOperand(operand, PRECEDENCE.cast)}::${raw(type)}`;
}

/** Neither `text` nor `jsonb` can contain U+0000: https://www.postgresql.org/docs/current/datatype-json.html */
function explainUnsupported(node: Expression): string | undefined {
  const string = node.kind === 'literal' ? node.value : node.kind === 'property' ? node.name : undefined;
  return typeof string === 'string' && string.includes('\0')
    ? 'its strings cannot contain the character U+0000'
    : undefined;
}

/** Truncates a string to at most `limit` bytes of UTF-8, at a character boundary. */
function truncateToBytes(string: string, limit: number): string {
  const { read } = new TextEncoder().encodeInto(string, new Uint8Array(limit));
  return string.slice(0, read);
}
