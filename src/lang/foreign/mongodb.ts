import type { Expression } from '../ast.ts';
import type { ComparisonName } from '../operators/table.ts';
import { all, any, binaryOf, callOf, compareTimes, definedOf, isOneOf, literal, notOf } from './conditions.ts';
import type { JsonField, JsonTree } from './json-tree.ts';
import { resolveName } from './names.ts';
import { refuseAt } from './refusal.ts';
import { readPlainPattern, testString } from './strings.ts';
import { readMoment, TIME_NOTE } from './times.ts';

const COMPARISONS = new Map<string, ComparisonName>([
  ['$gt', '>'],
  ['$gte', '>='],
  ['$lt', '<'],
  ['$lte', '<='],
]);

const ARRAY_NOTE = 'The fields hold single values. MongoDB also matches an array if one of its elements matches.';

/** Reads a query document of MongoDB. */
export function readMongoDb(tree: JsonTree, notes: Set<string>): Expression {
  if (tree.kind !== 'object') return refuseAt('syntax', tree.span, 'A query is an object.');
  return all(tree.fields.map((field) => readField(field, notes)));
}

function readField({ name, span, value }: JsonField, notes: Set<string>): Expression {
  if (name === '$and') return all(readQueries(value, notes));
  if (name === '$or') return any(readQueries(value, notes));
  if (name === '$nor') return notOf(any(readQueries(value, notes)));
  if (
    name.startsWith('$') &&
    !name.includes(' ') &&
    ['$expr', '$where', '$text', '$comment', '$jsonSchema'].includes(name)
  )
    return refuseAt('operator', span, `${name} has no translation.`);
  const operand = resolveName(name.split('.'), span, true);
  return readTest(operand, value, notes);
}

function readQueries(tree: JsonTree, notes: Set<string>): Expression[] {
  if (tree.kind !== 'array' || tree.items.length === 0) refuseAt('syntax', tree.span, 'A list of queries is expected.');
  return tree.items.map((item) => readMongoDb(item, notes));
}

function readTest(operand: Expression, value: JsonTree, notes: Set<string>): Expression {
  const isOperators =
    value.kind === 'object' && value.fields.some(({ name }) => name.startsWith('$') && name !== '$date');
  if (!isOperators) return readEqual(operand, value, notes);
  return all(value.fields.map((field) => readOperator(operand, field, notes)));
}

function readOperator(operand: Expression, { name, span, value }: JsonField, notes: Set<string>): Expression {
  const comparison = COMPARISONS.get(name);
  if (comparison !== undefined) {
    notes.add(ARRAY_NOTE);
    const time = readDate(value, notes);
    if (time !== undefined) return compareTimes(comparison, operand, time);
    const constant = readScalar(value);
    if (constant === null || typeof constant === 'boolean')
      return refuseAt('type', value.span, `${name} takes a number, a string or a date here.`);
    return binaryOf(comparison, operand, literal(constant));
  }
  switch (name) {
    case '$eq':
      return readEqual(operand, value, notes);
    case '$ne':
      return notOf(readEqual(operand, value, notes));
    case '$in':
      return readIn(operand, value, notes);
    case '$nin':
      return notOf(readIn(operand, value, notes));
    case '$not':
      if (value.kind !== 'object') return refuseAt('syntax', value.span, '$not takes an object of operators.');
      return notOf(readTest(operand, value, notes));
    case '$exists': {
      const exists = readScalar(value);
      if (typeof exists !== 'boolean') return refuseAt('type', value.span, '$exists takes true or false.');
      notes.add('$exists counts a property that is null as missing.');
      return exists ? definedOf(operand) : notOf(definedOf(operand));
    }
    case '$regex': {
      const pattern = readScalar(value);
      const plain = typeof pattern === 'string' ? readPlainPattern(pattern) : undefined;
      if (plain === undefined) return refuseAt('pattern', value.span, 'onwhere has no regular expressions.');
      notes.add(ARRAY_NOTE);
      return testString(plain.test, operand, plain.text);
    }
    case '$options':
      return refuseAt('pattern', span, 'onwhere compares strings exactly and cannot ignore case.');
    case '$all':
    case '$size':
    case '$elemMatch':
      return refuseAt('list', span, `${name} tests arrays. Only single values are translated.`);
    default:
      return refuseAt('operator', span, `${name} has no translation.`);
  }
}

function readIn(operand: Expression, list: JsonTree, notes: Set<string>): Expression {
  if (list.kind !== 'array') return refuseAt('syntax', list.span, 'A list is expected.');
  const scalars: (string | number | boolean)[] = [];
  const others: Expression[] = [];
  for (const item of list.items) {
    if (item.kind === 'scalar' && item.value !== null) scalars.push(item.value);
    else others.push(readEqual(operand, item, notes));
  }
  if (scalars.length > 0) notes.add(ARRAY_NOTE);
  return any([isOneOf(operand, scalars), ...others]);
}

/** In MongoDB, null equals a missing field. */
function readEqual(operand: Expression, value: JsonTree, notes: Set<string>): Expression {
  const time = readDate(value, notes);
  if (time !== undefined) return compareTimes('==', operand, time);
  if (value.kind === 'object')
    return refuseAt('name', value.span, 'Objects cannot be compared. Name the inner field, as in "address.city".');
  const constant = readScalar(value);
  notes.add(ARRAY_NOTE);
  if (constant === null) return notOf(definedOf(operand));
  return binaryOf('==', operand, literal(constant));
}

function readScalar(tree: JsonTree): string | number | boolean | null {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'array') return refuseAt('list', tree.span, 'A list has no translation here.');
  return refuseAt('type', tree.span, 'Only strings, numbers, booleans, null and dates have a translation.');
}

/** Reads `{"$date": "…"}`, `ISODate("…")` and `new Date("…")`. */
function readDate(tree: JsonTree, notes: Set<string>): Expression | undefined {
  const [field] = tree.kind === 'object' ? tree.fields : [];
  const isCall = tree.kind === 'call' && (tree.name === 'ISODate' || tree.name === 'Date');
  const inner = isCall ? tree.items[0] : field?.name === '$date' ? field.value : undefined;
  if (inner?.kind !== 'scalar' || typeof inner.value !== 'string') return undefined;
  readMoment(inner.value, inner.span);
  notes.add(TIME_NOTE);
  return callOf('datetime', literal(inner.value));
}
