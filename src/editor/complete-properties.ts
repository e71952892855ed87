import type { Scope } from '../lang/ast.ts';
import { getPropertySchema, getPropertySchemas, type PropertySchema, type Schema } from '../lang/check/schema.ts';
import type { Span } from '../lang/source.ts';
import { showTypes } from '../lang/types.ts';
import { formatProperty, quoteString } from '../lang/util/strings.ts';
import { showValue } from '../lang/value.ts';
import type { Completion } from './completion.ts';
import { type CursorContext, findComparedProperty, findProperties, isQuoted } from './cursor-context.ts';
import { describeProperty } from './documentation.ts';

/** The names that could stand in the brackets of a property. */
export function completeNames(
  source: string,
  place: CursorContext,
  span: Span,
  schema: Schema | undefined,
): Completion[] {
  const scope = place.before.at(-2)?.tokenType.name as Scope;
  const bracket = /^\s*\]/.test(source.slice(span.end)) ? '' : ']';
  return known(place, schema, scope).map(([name, property]) => {
    return toCompletion(name, `${quoteString(name)}${bracket}`, property);
  });
}

/** The properties of events and those of users. */
export function completeProperties(place: CursorContext, schema: Schema | undefined): Completion[] {
  const ofEvents = known(place, schema, 'properties').map(([name, property]) => {
    return toCompletion(name, formatProperty('properties', name), property);
  });
  const ofUsers = known(place, schema, 'user').map(([name, property]) => {
    return toCompletion(formatProperty('user', name), formatProperty('user', name), property);
  });
  return [...ofEvents, ...ofUsers];
}

/** The known values of the property that the place is compared with; in quotes texts alone. */
export function completeValues(place: CursorContext, schema: Schema | undefined): Completion[] {
  const property = findComparedProperty(place);
  const values = (property && getPropertySchema(schema, property)?.values) ?? [];
  const possible = isQuoted(place.token) ? values.filter((value) => typeof value === 'string') : values;
  return possible.map(showValue).map((text) => ({ label: text, insert: text, kind: 'value' }));
}

/** What a schema or, where it does not say, the rest of the text has. */
function known({ before, after }: CursorContext, schema: Schema | undefined, scope: Scope) {
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
