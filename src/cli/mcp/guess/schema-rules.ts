import { check } from '../../../api/expressions.ts';
import { formatProperty, quoteString } from '../../../base/strings.ts';
import { suggest } from '../../../base/suggest.ts';
import { EVENT_PROPERTY } from '../../../data/field-mapping.ts';
import { getPropertySchemas, type PropertySchema, type Schema } from '../../../lang/check/schema.ts';
import type { DiagnosticCode } from '../../../lang/diagnostic.ts';
import type { GuessRule } from './guess-rule.ts';
import { MARK, readText } from './masked-source.ts';

/** Names that other products have for the name of the event. */
const EVENT_NAMES = ['event', 'event_name', 'eventName', 'event_type', 'name'];

function toKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the known name that a name is most likely meant for. */
function findKnownName(name: string, known: readonly string[]): string | undefined {
  const same = known.filter((one) => toKey(one) === toKey(name));
  if (same.length === 1) return same[0];
  const near = suggest(name, known);
  if (near !== undefined && near !== EVENT_PROPERTY) return near;
  return EVENT_NAMES.includes(name) && known.includes(EVENT_PROPERTY) ? EVENT_PROPERTY : near;
}

/** Replaces the spans of the diagnostics with a code. */
function replaceDiagnosed(
  source: string,
  schema: Schema,
  code: DiagnosticCode,
  replace: (text: string) => string | undefined,
): string {
  const { diagnostics } = check(source, { use: 'where', schema });
  let replaced = source;
  for (const found of diagnostics.toReversed()) {
    if (found.code !== code) continue;
    const { start, end } = found.span;
    const text = replace(source.slice(start, end));
    if (text !== undefined) replaced = replaced.slice(0, start) + text + replaced.slice(end);
  }
  return replaced;
}

function listSchemas(schema: Schema): readonly PropertySchema[] {
  return [...Object.values(schema.properties ?? {}), ...Object.values(schema.user ?? {})];
}

/** A comparison of a property with a number in quotes, in either order. */
const QUOTED_NUMBER = new RegExp(
  `(properties|user|event)\\[${MARK}(\\d+)${MARK}\\]\\s*(<=|>=|<|>)\\s*${MARK}(\\d+)${MARK}`,
  'g',
);

/** The column of a table: `df["plan"]`, `$properties['plan']`. */
const QUALIFIED_IN_BRACKETS = /(?<![\w.$"'])(?!(?:properties|user|event)\[)\$?[A-Za-z_]\w*\[(["'])([\w$ ]+)\1\]/g;

/** The column of a table or the field of an object: `orders.amount`, `$event->country`. */
const QUALIFIED = /(?<![\w.$"'\]])(?!(?:properties|user)\b)\$?[A-Za-z_]\w*(?:\.|->)([A-Za-z_$][\w$]*)(?![\w.$(["'])/g;

/** A string on the left of a comparison. */
const COMPARED_STRING = new RegExp(
  `(^\\s*|[(]\\s*|\\b(?:and|or|not)\\s+)${MARK}(\\d+)${MARK}(\\s*(?:={1,3}|!=|<>|<=?|>=?|\\bin\\s*\\[))`,
  'gi',
);

/** Replace names and values that the data does not have. */
export const SCHEMA_RULES: readonly GuessRule[] = [
  {
    assumption: `The name of the event is read as ${formatProperty('properties', EVENT_PROPERTY)}.`,
    rewriteCode(code, _, schema) {
      if (!Object.hasOwn(schema?.properties ?? {}, EVENT_PROPERTY)) return code;
      return code.replace(
        /(?<![\w.$])event(?:\.(?:name|event))?\s*(?=={1,3}|!=|<>|\bin\b|\bnot\s+in\b|\blike\b)/gi,
        `${formatProperty('properties', EVENT_PROPERTY)} `,
      );
    },
  },
  {
    assumption: 'What is before the name of a property is read as the record.',
    rewrite(source, schema) {
      const isKnown = (name: string) => Object.hasOwn(schema?.properties ?? {}, name);
      return source
        .replace(QUALIFIED_IN_BRACKETS, (found, quote, name) =>
          isKnown(name) ? `properties[${quote}${name}${quote}]` : found,
        )
        .replace(QUALIFIED, (found, name) => (isKnown(name) ? formatProperty('properties', name) : found));
    },
  },
  {
    assumption: 'A property that the data does not have is read as the nearest one.',
    rewrite(source, schema) {
      if (schema === undefined) return source;
      return replaceDiagnosed(source, schema, 'unknown-property', (text) => {
        const [read] = check(text).properties;
        if (read === undefined) return undefined;
        const near = findKnownName(read.name, Object.keys(getPropertySchemas(schema, read.scope) ?? {}));
        return near === undefined || near === read.name ? undefined : formatProperty(read.scope, near);
      });
    },
  },
  {
    assumption: 'A string that is the name of a property is read as the property.',
    rewriteCode: (code, strings, schema) =>
      code.replace(COMPARED_STRING, (found, before, index, operator) => {
        const name = readText(strings[Number(index)] ?? '');
        return Object.hasOwn(schema?.properties ?? {}, name)
          ? `${before}${formatProperty('properties', name)}${operator}`
          : found;
      }),
  },
  {
    assumption: 'A word that is a value in the data is read as a string.',
    rewrite(source, schema) {
      if (schema === undefined) return source;
      const values = new Set(listSchemas(schema).flatMap(({ values = [] }) => values));
      return replaceDiagnosed(source, schema, 'bare-name', (text) =>
        values.has(text) ? quoteString(text) : undefined,
      );
    },
  },
  {
    assumption: 'A number in quotes is compared as a number.',
    rewriteCode: (code, strings, schema) =>
      code.replace(QUOTED_NUMBER, (found, scope, name, operator, value) => {
        const [property, text] = [readText(strings[Number(name)] ?? ''), readText(strings[Number(value)] ?? '')];
        const known = getPropertySchemas(schema, scope === 'user' ? 'user' : 'properties');
        const isNumber =
          known !== undefined && Object.hasOwn(known, property) && known[property]?.types.includes('number');
        return isNumber && /^-?\d+(?:\.\d+)?$/.test(text)
          ? `${scope}[${MARK}${name}${MARK}] ${operator} ${text}`
          : found;
      }),
  },
  {
    assumption: 'A value that the data does not have is read as the nearest one.',
    rewrite(source, schema) {
      if (schema === undefined) return source;
      return replaceDiagnosed(source, schema, 'unknown-value', (text) => {
        const values = listSchemas(schema).flatMap(({ values = [] }) =>
          values.filter((value) => typeof value === 'string'),
        );
        const near = suggest(readText(text), values);
        return near === undefined ? undefined : quoteString(near);
      });
    },
  },
];
