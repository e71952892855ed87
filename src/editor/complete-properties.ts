import { formatProperty, quoteString } from '../base/strings.ts';
import type { Scope } from '../lang/ast.ts';
import { getPropertySchema, getPropertySchemas, type PropertySchema, type Schema } from '../lang/check/schema.ts';
import type { Span } from '../lang/source.ts';
import { showTypes } from '../lang/types.ts';
import { showValue } from '../lang/value.ts';
import type { Completion } from './completion.ts';
import { type CursorContext, findComparedProperty, findProperties, isQuoted } from './cursor-context.ts';
import { describeProperty } from './documentation.ts';

/** Returns completions for the name in the brackets of a property. */
export function completeNames(
  source: string,
  context: CursorContext,
  span: Span,
  schema: Schema | undefined,
): Completion[] {
  const scope = context.before.at(-2)?.tokenType.name as Scope;
  const bracket = /^\s*\]/.test(source.slice(span.end)) ? '' : ']';
  return getKnownProperties(context, schema, scope).map(([name, property]) => {
    return toCompletion(name, `${quoteString(name)}${bracket}`, property);
  });
}

/** Returns completions for the properties of events and users. */
export function completeProperties(context: CursorContext, schema: Schema | undefined): Completion[] {
  const eventProperties = getKnownProperties(context, schema, 'properties').map(([name, property]) => {
    return toCompletion(name, formatProperty('properties', name), property);
  });
  const userProperties = getKnownProperties(context, schema, 'user').map(([name, property]) => {
    return toCompletion(formatProperty('user', name), formatProperty('user', name), property);
  });
  return [...eventProperties, ...userProperties];
}

/** Returns the known values of the property that is compared at the cursor; inside quotes, only strings. */
export function completeValues(context: CursorContext, schema: Schema | undefined): Completion[] {
  const property = findComparedProperty(context);
  const values = (property && getPropertySchema(schema, property)?.values) ?? [];
  const possible = isQuoted(context.token) ? values.filter((value) => typeof value === 'string') : values;
  return possible.map(showValue).map((text) => ({ label: text, insert: text, kind: 'value' }));
}

/** Returns the properties of the schema. Without one, returns those that the rest of the source reads. */
function getKnownProperties({ before, after }: CursorContext, schema: Schema | undefined, scope: Scope) {
  const part = getPropertySchemas(schema, scope);
  if (part !== undefined) return Object.entries(part);
  const read = [before, after].flatMap((tokens) => findProperties(tokens));
  const names = read.filter((property) => (property.scope === 'user') === (scope === 'user')).map(({ name }) => name);
  return [...new Set(names)].map((name): [string, undefined] => [name, undefined]);
}

function toCompletion(label: string, insert: string, property: PropertySchema | undefined): Completion {
  const documentation = property && describeProperty(property);
  return {
    label,
    insert,
    kind: 'property',
    ...(property && { detail: showTypes(property.types) }),
    ...(documentation !== undefined && { documentation }),
  };
}
