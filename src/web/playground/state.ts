import { check } from '../../api/expressions.ts';
import { type TimeUnit, UNITS } from '../../data/buckets.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { formatProperty } from '../../lang/util/strings.ts';

/** The views of the results. */
export const VIEWS = ['segments', 'events', 'tree'] as const;

/** The state of the page, which a link carries. */
export interface PlaygroundState {
  readonly where: string;
  readonly on: string;
  readonly unit: TimeUnit;
  /** Whether to count unique users instead of events. */
  readonly unique: boolean;
  readonly view: (typeof VIEWS)[number];
}

/** The initial state. */
export const START: PlaygroundState = {
  where: 'properties["plan"] in ["pro", "team"] and not properties["$browser"] == "Edge"',
  on: 'properties["country"]',
  unit: 'day',
  unique: false,
  view: 'segments',
};

/**
 * Suggests a query for events with this schema: the initial one if it suits them, otherwise all events grouped by a
 * property with few values.
 */
export function suggestQuery(schema: Schema | undefined): Pick<PlaygroundState, 'where' | 'on'> {
  const isShop = [START.where, START.on].every(
    (source) => check(source, { ...(schema && { schema }) }).diagnostics.length === 0,
  );
  if (isShop) return { where: START.where, on: START.on };
  const properties = Object.entries(schema?.properties ?? {});
  const [chosen] = properties.find(([, { types, values = [] }]) => types.includes('string') && values.length > 1) ?? [];
  return { where: '', on: chosen === undefined ? '' : formatProperty('properties', chosen) };
}

/** Returns the state as the fragment of a link, which browsers do not send to servers. */
export function formatPlaygroundLink({ where, on, unit, unique, view }: PlaygroundState): string {
  return String(new URLSearchParams({ where, on, by: unit, count: unique ? 'users' : 'events', view }));
}

/** Parses the state of a fragment. Missing parts have their initial value, but a link with one expression clears the other. */
export function parsePlaygroundLink(fragment: string): PlaygroundState {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const [where, on] = [given.get('where'), given.get('on')];
  const expressions = where === null && on === null ? START : { where: where ?? '', on: on ?? '' };
  return {
    where: expressions.where,
    on: expressions.on,
    unit: UNITS.find((unit) => unit === given.get('by')) ?? START.unit,
    unique: given.get('count') === 'users',
    view: VIEWS.find((view) => view === given.get('view')) ?? START.view,
  };
}
