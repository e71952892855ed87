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
 * PostgreSQL 15 or newer, with properties in columns or in `jsonb`. Columns of texts must have a deterministic collation, as all
 * have that are not declared otherwise.
 */
export const postgresql: Dialect = {
  name: 'PostgreSQL',
  setup: POSTGRESQL_SETUP,
  answersAreFinite: true,
  quoteName: (name) => `"${name.replaceAll('"', '""')}"`,
  // Longer names are cut: https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
  columnKey: (name) => firstBytes(name, 63),
  placeholder: (number, value) => `$${number}::${TYPES[typeof value as keyof typeof TYPES]}`,
  // Or the planner writes a column out again wherever it is used: https://www.postgresql.org/docs/current/explicit-joins.html
  fence: ' OFFSET 0',

  // biome-ignore format: a table, to be read by its rows
  overloads: {
    ...STANDARD,
    'add': callHelper('add'),
    'subtract': callHelper('subtract'),
    'multiply': callHelper('multiply'),
    'divide': callHelper('divide'),
    'part': (left: Sql, right: Sql) => compare(call('strpos', byteOrder(right), left), '>', raw('0')),
    'less.string': textOrder('<'),
    'atMost.string': textOrder('<='),
    'greater.string': textOrder('>'),
    'atLeast.string': textOrder('>='),
    'number.boolean': (operand: Sql) => cast(cast(operand, 'int'), 'float8'),
  },
  infinity: INFINITY,
  finite: (number) => caseWhen([[whetherFinite(number), number]]),
  isFinite: whetherFinite,
  isTrue,
  isNotTrue: (condition) => fragment(PRECEDENCE.is)`${wrapOperand(condition, PRECEDENCE.compare)} IS NOT TRUE`,

  unsupported,
  readProperty: (column, rest, name) => {
    if (rest.kind === 'map')
      throw new TypeError('PostgreSQL has no maps: properties are in columns or in a jsonb column');
    return readJson(column, name);
  },
  readList,

  elementKeys: {
    string: (text) => infix(raw(`'${encodeString('')}'`), '||', text, PRECEDENCE.concat),
    number: (number) => call('onwhere_text', number),
    boolean: (boolean) => cast(boolean, 'text'),
  },
  areEqual: (left, right) => compare(left.sql, '=', right.sql),
  hasElement: (list, key) => compare(key, '=', call('ANY', list.sql)),
  elementNames: (list) => call('onwhere_names', list),
  unnest: (array) => `unnest(${array})`,
  single: (text) => fragment(PRECEDENCE.primary)`ARRAY[${text}]`,
};

/** A property in a `jsonb` column. */
function readJson(column: Sql, name: string): Channels {
  const json = shareExpression(infix(column, '->', bindParameter(name), PRECEDENCE.concat));
  const ofType = (type: string, value: Sql) => shareExpression(caseWhen([[typeIs(json, type), value]]));
  const number = shareExpression(call('onwhere_number', json));
  return {
    number: { sql: number, isFinite: true },
    string: {
      sql: ofType('string', infix(json, '#>>', raw(`'{}'`), PRECEDENCE.concat)),
      present: hasType(json, 'string'),
      isOneOf: (texts) => {
        const [only = '', ...others] = texts;
        if (others.length > 0) return isIn(json, texts.map(jsonParameter));
        // Quicker, and what an index over the whole column answers: https://www.postgresql.org/docs/current/datatype-json.html#JSON-INDEXING
        return infix(column, '@>', jsonParameter({ [name]: only }), PRECEDENCE.concat);
      },
    },
    boolean: {
      sql: ofType('boolean', compare(json, '=', JSON_TRUE)),
      present: hasType(json, 'boolean'),
      isTrue: compare(json, '=', JSON_TRUE),
    },
    null: hasType(json, 'null'),
    list: readList(json),
    json: cast(json, 'text'),
    undefined: caseWhen(
      [
        [typeIs(json, 'number'), postfix(number, 'IS NULL')],
        [typeIs(json, 'object'), TRUE],
      ],
      postfix(json, 'IS NULL'),
    ),
  };
}

function jsonParameter(value: unknown): Sql {
  return cast(bindParameter(JSON.stringify(value)), 'jsonb');
}

function readList(json: Sql): Channel {
  return { sql: shareExpression(call('onwhere_list', json)), present: hasType(json, 'array') };
}

function typeIs(json: Sql, type: string): Sql {
  return compare(call('jsonb_typeof', json), '=', raw(`'${type}'`));
}

function hasType(json: Sql, type: string): Sql {
  return isTrue(typeIs(json, type));
}

function isTrue(condition: Sql): Sql {
  return fragment(PRECEDENCE.is)`${wrapOperand(condition, PRECEDENCE.compare)} IS TRUE`;
}

/** NaN is above infinity: https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-FLOAT */
function whetherFinite(number: Sql): Sql {
  return and(compare(number, '<', INFINITY.positive), compare(number, '>', INFINITY.negative));
}

/** Texts in the order of their bytes, which in UTF-8 is that of their code points. */
function byteOrder(text: Sql): Sql {
  return fragment(PRECEDENCE.cast)`${wrapOperand(text, PRECEDENCE.cast)} COLLATE "C"`;
}

function textOrder(operator: string): Template {
  return (left: Sql, right: Sql) => compare(left, operator, byteOrder(right));
}

function cast(operand: Sql, type: string): Sql {
  return fragment(PRECEDENCE.cast)`${wrapOperand(operand, PRECEDENCE.cast)}::${raw(type)}`;
}

/** No text has U+0000, nor has `jsonb`: https://www.postgresql.org/docs/current/datatype-json.html */
function unsupported(node: Expression): string | undefined {
  const text = node.kind === 'literal' ? node.value : node.kind === 'property' ? node.name : undefined;
  return typeof text === 'string' && text.includes('\0') ? 'its texts cannot hold the character U+0000' : undefined;
}

/** As many whole characters as fit into so many bytes of UTF-8. */
function firstBytes(text: string, limit: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(limit));
  return text.slice(0, read);
}
