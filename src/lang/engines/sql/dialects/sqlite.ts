import type { Expression } from '../../../ast.ts';
import type { Channel, Channels } from '../channels.ts';
import type { Dialect } from '../dialect.ts';
import { STANDARD, type Template } from '../overloads.ts';
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
import {
  divideWithRest,
  hasKey,
  nameKeys,
  parseNumberText,
  parseTimeText,
  readJsonNumber,
  readKeys,
  readTime,
  roundDown,
  roundHalves,
  roundUp,
} from './sqlite-functions.ts';
import { writeDecimal } from './sqlite-numbers.ts';

/** The literal is too large for a double: https://www.sqlite.org/faq.html has no name for infinity. */
const INFINITY = { positive: raw('9e999'), negative: raw('-9e999') };

/**
 * SQLite 3.49 or newer, with properties in columns or in a column of JSON. The stack of the parser of
 * 3.45 is too small for the SQL. A list of element keys or of segment names is
 * a JSON list: SQLite has no arrays.
 */
export const sqlite: Dialect = {
  name: 'SQLite',
  setup: [],
  // In double quotes, the name of a missing column would be a string: https://www.sqlite.org/quirks.html#dblquote
  quoteName: (name) => `\`${name.replaceAll('`', '``')}\``,
  getColumnKey: (name) => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  // Some drivers bind whole numbers as integers, whose quotients are truncated.
  placeholder: (number, value) => (typeof value === 'number' ? `CAST(?${number} AS REAL)` : `?${number}`),
  toBindable: (value) => (typeof value === 'boolean' ? Number(value) : value),
  fence: ' LIMIT -1 OFFSET 0',

  // biome-ignore format: a table, to be read by its rows
  overloads: {
    ...STANDARD,
    'add': calculate('+', PRECEDENCE.sum),
    'subtract': calculate('-', PRECEDENCE.sum),
    'multiply': calculate('*', PRECEDENCE.product),
    'divide': calculate('/', PRECEDENCE.product),
    'remainder': expand(divideWithRest),
    'floor': expand(roundDown),
    'ceil': expand(roundUp),
    'round': expand(roundHalves),
    'join': concatenate,
    'part': (left: Sql, right: Sql) => compare(call('instr', right, left), '>', raw('0')),
    'string.number': expand(writeDecimal),
    'number.string': expand(parseNumberText),
    'number.boolean': castToReal,
    'datetime.string': expand(parseTimeText),
    'datetime.number': expand(readTime),
  },
  infinity: INFINITY,
  nullIfNotFinite: (number) => caseWhen([[testFinite(number), number]]),
  isFinite: testFinite,
  isTrue,
  isNotTrue: (condition) => fragment(PRECEDENCE.is)`${wrapOperand(condition, PRECEDENCE.concat)} IS NOT TRUE`,

  explainUnsupported,
  readProperty: (column, rest, name) => {
    if (rest.kind === 'map') throw new TypeError('SQLite has no maps. Use columns or a column of JSON.');
    return readJson(column, name);
  },
  readList: (column) => readList(column, isTrue(compare(call('json_type', column), '=', raw("'array'")))),

  elementKeys: {
    string: (string) => concatenate(raw(`'"'`), string),
    number: expand(writeDecimal),
    boolean: STANDARD['string.boolean'],
  },
  areEqual: (left, right) => compare(left.sql, '=', right.sql),
  hasElement: (list, key) => expand(hasKey)(list.sql, key),
  getElementNames: expand(nameKeys),
  unnest: () => '`onwhere_elements`.`value`',
  joinElements: (array) => `json_each(${array}) AS \`onwhere_elements\``,
  createArray: (string) => call('json_array', string),
};

/**
 * Turns a function of SQL text into a template. The operands are computed once, and get names that do not hide columns
 * of the table.
 */
function expand(write: (...operands: string[]) => string): Template {
  return (...operands) => {
    const names = operands.map((_, index) => `operand${index + 1}`);
    const columns = operands.map(
      (operand, index) => fragment(PRECEDENCE.primary)`${operand} AS ${raw(names[index] ?? '')}`,
    );
    return fragment(
      PRECEDENCE.primary,
    )`(SELECT ${raw(write(...names))} FROM (SELECT ${columns.reduce((list, column) => fragment(PRECEDENCE.primary)`${list}, ${column}`)}))`;
  };
}

/** Returns the template of arithmetic of doubles, also if a column has integers, which would overflow or be truncated. */
function calculate(operator: string, precedence: typeof PRECEDENCE.sum | typeof PRECEDENCE.product): Template {
  return (left: Sql, right: Sql) => infix(castToReal(left), operator, right, precedence);
}

function castToReal(number: Sql): Sql {
  return fragment(PRECEDENCE.primary)`CAST(${number} AS REAL)`;
}

/** In SQLite, unlike in other databases, `||` comes before arithmetic. */
function concatenate(left: Sql, right: Sql): Sql {
  return fragment(
    PRECEDENCE.concat,
  )`${wrapOperand(left, PRECEDENCE.primary)} || ${wrapOperand(right, PRECEDENCE.primary)}`;
}

function isTrue(condition: Sql): Sql {
  return fragment(PRECEDENCE.is)`${wrapOperand(condition, PRECEDENCE.concat)} IS TRUE`;
}

function testFinite(number: Sql): Sql {
  return and(compare(number, '<', INFINITY.positive), compare(number, '>', INFINITY.negative));
}

/** Reads a property from a column of JSON. */
function readJson(column: Sql, name: string): Channels {
  const path = bindParameter(`$.${JSON.stringify(name)}`);
  const type = shareExpression(call('json_type', column, path));
  const value = call('json_extract', column, path);
  const json = fragment(PRECEDENCE.concat)`${wrapOperand(column, PRECEDENCE.primary)} -> ${path}`;
  const hasType = (...types: readonly string[]) =>
    isIn(
      type,
      types.map((one) => raw(`'${one}'`)),
    );
  const isType = (...types: readonly string[]) => isTrue(hasType(...types));
  const isNumber = hasType('integer', 'real');
  const number = shareExpression(caseWhen([[isNumber, expand(readJsonNumber)(value, json)]]));
  return {
    number: { sql: number, isFinite: true },
    string: { sql: shareExpression(caseWhen([[hasType('text'), value]])), present: isType('text') },
    boolean: {
      sql: shareExpression(caseWhen([[hasType('true', 'false'), compare(type, '=', raw("'true'"))]])),
      present: isType('true', 'false'),
      isTrue: hasType('true'),
    },
    null: isType('null'),
    list: readList(json, isType('array')),
    json,
    undefined: caseWhen(
      [
        [isNumber, postfix(number, 'IS NULL')],
        [hasType('object'), TRUE],
      ],
      postfix(type, 'IS NULL'),
    ),
  };
}

function readList(json: Sql, present: Sql): Channel {
  return { sql: shareExpression(caseWhen([[present, expand(readKeys)(json)]])), present };
}

/** SQLite 3.45 does not find such a name: https://www.sqlite.org/json1.html#path_arguments */
function explainUnsupported(node: Expression, isColumn: boolean): string | undefined {
  return node.kind === 'property' && !isColumn && node.name.includes('"')
    ? 'it does not find names with a double quote in JSON'
    : undefined;
}
