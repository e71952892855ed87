import { check } from '../../api/expressions.ts';
import { formatProperty } from '../../base/strings.ts';
import { UNITS } from '../../data/buckets.ts';
import type { Schema } from '../../lang/check/schema.ts';
import type { EventsQuery } from '../events/messages.ts';

/** The tabs of the results. */
export const VIEWS = ['segments', 'events', 'tree'] as const;

/** The state of the page that a link carries. */
export interface ExplorerState extends Pick<EventsQuery, 'where' | 'on' | 'unit' | 'unique'> {
  readonly view: (typeof VIEWS)[number];
}

/** The initial state, for the sample data. */
export const SAMPLE_STATE: ExplorerState = {
  where: 'properties["plan"] in ["pro", "team"] and not properties["$browser"] == "Edge"',
  on: 'properties["country"]',
  unit: 'day',
  unique: false,
  view: 'segments',
};

/**
 * Returns the initial expressions for events with this schema.
 *
 * Those of {@link SAMPLE_STATE}, if they suit the events; otherwise no filter, grouped by a string property with few values.
 */
export function suggestExpressions(schema: Schema | undefined): Pick<ExplorerState, 'where' | 'on'> {
  const { where, on } = SAMPLE_STATE;
  const properties = Object.entries(schema?.properties ?? {});
  const suits = (source: string) => check(source, { schema: schema ?? {} }).diagnostics.length === 0;
  if (properties.length > 0 && suits(where) && suits(on)) return { where, on };
  const [chosen] = properties.find(([, { types, values = [] }]) => types.includes('string') && values.length > 1) ?? [];
  return { where: '', on: chosen === undefined ? '' : formatProperty('properties', chosen) };
}

/** Formats the state as the fragment of a link. Browsers do not send fragments to servers. */
export function formatExplorerLink({ where, on, unit, unique, view }: ExplorerState): string {
  return String(new URLSearchParams({ where, on, by: unit, count: unique ? 'users' : 'events', view }));
}

/**
 * Parses the fragment of a link.
 *
 * Missing and unknown values are those of {@link SAMPLE_STATE}. If a link has only one expression, the other is empty.
 */
export function parseExplorerLink(fragment: string): ExplorerState {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const [where, on] = [given.get('where'), given.get('on')];
  const expressions = where === null && on === null ? SAMPLE_STATE : { where: where ?? '', on: on ?? '' };
  return {
    where: expressions.where,
    on: expressions.on,
    unit: UNITS.find((unit) => unit === given.get('by')) ?? SAMPLE_STATE.unit,
    unique: given.get('count') === 'users',
    view: VIEWS.find((view) => view === given.get('view')) ?? SAMPLE_STATE.view,
  };
}

/** Returns whether a link names expressions to explore. */
export function isExplorerLink(fragment: string): boolean {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  return !given.has('query') && ['where', 'on', 'view'].some((name) => given.has(name));
}
