import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { formatProperty } from '../../../base/strings.ts';
import { tryParseJson } from '../../../data/try-parse-json.ts';
import type { GuessRule } from './guess-rule.ts';
import { MARK, readText, STRING } from './masked-source.ts';

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/** Closes what is open at the end of a source, and leaves out what closes nothing. */
function balance(code: string): string {
  const open: string[] = [];
  let kept = '';
  for (const character of code) {
    const closer = CLOSERS[character];
    if (closer !== undefined) open.push(closer);
    else if (Object.values(CLOSERS).includes(character) && open.pop() !== character) return code;
    kept += character;
  }
  return kept + open.reverse().join('');
}

/** Leaves out closing parentheses at the end that close nothing. */
function dropClosers(code: string): string {
  let depth = 0;
  for (const [at, character] of [...code].entries()) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (depth < 0) return /^[)\s]*$/.test(code.slice(at)) ? code.slice(0, at) : code;
  }
  return code;
}

/** Replaces the commas outside of all brackets. */
function joinByAnd(code: string): string {
  let depth = 0;
  return Array.from(code, (character) => {
    depth += '(['.includes(character) ? 1 : ')]'.includes(character) ? -1 : 0;
    return character === ',' && depth === 0 ? ' and' : character;
  }).join('');
}

/** The operators of filters as objects, by their names without separators. */
const NAMED_OPERATORS: Readonly<Record<string, string>> = {
  ...{ '=': '==', '==': '==', '===': '==', eq: '==', equals: '==', equal: '==', is: '==' },
  ...{ '!=': '!=', '<>': '!=', ne: '!=', neq: '!=', notequals: '!=', doesnotequal: '!=', isnot: '!=' },
  ...{
    '>': '>',
    gt: '>',
    greaterthan: '>',
    '>=': '>=',
    gte: '>=',
    '<': '<',
    lt: '<',
    lessthan: '<',
    '<=': '<=',
    lte: '<=',
  },
  ...{ in: 'in', isin: 'in', isoneof: 'in', contains: 'contains' },
};

/** Returns the expression of a filter as an object such as `{"property": "plan", "operator": "equals", "value": "pro"}`. */
function readCondition(json: unknown): string | undefined {
  if (Array.isArray(json)) {
    const conditions = json.map(readCondition);
    return conditions.length > 0 && !conditions.includes(undefined) ? conditions.join(' and ') : undefined;
  }
  if (!isJsonObject(json)) return undefined;
  if (Array.isArray(json.rules)) return readGroup(json.rules, json.combinator ?? json.condition);
  const name = findValue(json, ['property', 'field', 'name', 'column', 'key', 'id']);
  const operator = findValue(json, ['operator', 'op', 'comparison', 'condition', 'type']);
  if (typeof name !== 'string' || typeof operator !== 'string' || json.value === undefined) return undefined;
  const sign = Object.hasOwn(NAMED_OPERATORS, toKey(operator)) ? NAMED_OPERATORS[toKey(operator)] : undefined;
  if (sign === undefined) return undefined;
  const [property, value] = [formatProperty('properties', name), JSON.stringify(json.value)];
  return sign === 'contains' ? `${value} in ${property}` : `${property} ${sign} ${value}`;
}

/** Returns the expression of a group of conditions, as builders of queries store it. */
function readGroup(rules: readonly unknown[], combinator: unknown): string | undefined {
  const conditions = rules.map(readCondition);
  const word = String(combinator).toLowerCase();
  if (conditions.length === 0 || conditions.includes(undefined) || !['and', 'or'].includes(word)) return undefined;
  return `(${conditions.join(` ${word} `)})`;
}

function toKey(operator: string): string {
  return operator.toLowerCase().replace(/[\s_$-]/g, '');
}

function findValue(json: JsonObject, names: readonly string[]): unknown {
  const found = names.find((name) => Object.hasOwn(json, name));
  return found === undefined ? undefined : json[found];
}

const SEARCH = new RegExp(`(?<![\\w.\\]])([A-Za-z_$][\\w.$-]*)\\s*:\\s*(${STRING}|[\\w.-]+)`, 'g');

/** Read filters of other programs that are objects. */
export const OBJECT_RULES: readonly GuessRule[] = [
  {
    assumption: 'The object is read as a condition.',
    rewrite: (source) => (/^\s*[[{]/.test(source) ? (readCondition(tryParseJson(source)) ?? source) : source),
  },
];

/** Complete what is cut off, and join what is apart. */
export const STRUCTURE_RULES: readonly GuessRule[] = [
  {
    assumption: 'name:value is read as name == "value".',
    rewriteCode: (code) =>
      code.replace(/properties\[([^\]]*)\]\s*:/g, (_, name) => `properties[${name}] == `).replace(SEARCH, '$1 == $2'),
  },
  {
    assumption: 'The last string is closed.',
    rewriteCode(code, strings) {
      const last = strings.at(-1) ?? '';
      const isOpen =
        code.endsWith(`${MARK}${strings.length - 1}${MARK}`) && (last.length === 1 || !last.endsWith(last.charAt(0)));
      return isOpen && readText(last).trim() !== '' ? code + last.charAt(0) : code;
    },
  },
  { assumption: 'Missing brackets are added at the end.', rewriteCode: balance },
  { assumption: 'Brackets that close nothing are left out.', rewriteCode: dropClosers },
  { assumption: 'Commas between conditions are read as and.', rewriteCode: joinByAnd },
  {
    assumption: 'An operator without a condition on both sides is left out.',
    rewriteCode: (code) =>
      code.replace(/^\s*(?:and|or|&&|\|\|)\s+/i, '').replace(/\s+(?:and|or|&&|\|\|)\s*;?\s*$/i, ''),
  },
];
