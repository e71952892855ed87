import { check } from '../../api/expressions.ts';
import { type TimeUnit, UNITS } from '../../data/buckets.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { formatProperty } from '../../lang/util/strings.ts';

/** The ways to look at the answers. */
export const VIEWS = ['segments', 'events', 'tree'] as const;

/** What a person has set: all that a link carries. */
export interface PlaygroundState {
  readonly where: string;
  readonly on: string;
  readonly unit: TimeUnit;
  /** Whether users are counted, not events. */
  readonly unique: boolean;
  readonly view: (typeof VIEWS)[number];
}

/** What stands there at first. */
export const START: PlaygroundState = {
  where: 'properties["plan"] in ["pro", "team"] and not properties["$browser"] == "Edge"',
  on: 'properties["country"]',
  unit: 'day',
  unique: false,
  view: 'segments',
};

/** What stands there at first over events of which this is known: all of them, by a property that has few values, where they are no events of a shop. */
export function startOver(schema: Schema | undefined): Pick<PlaygroundState, 'where' | 'on'> {
  const isShop = [START.where, START.on].every(
    (source) => check(source, { ...(schema && { schema }) }).diagnostics.length === 0,
  );
  if (isShop) return { where: START.where, on: START.on };
  const properties = Object.entries(schema?.properties ?? {});
  const [chosen] = properties.find(([, { types, values = [] }]) => types.includes('string') && values.length > 1) ?? [];
  return { where: '', on: chosen === undefined ? '' : formatProperty('properties', chosen) };
}

/** The state as the fragment of a link, which no server gets to see. */
export function formatPlaygroundLink({ where, on, unit, unique, view }: PlaygroundState): string {
  return String(new URLSearchParams({ where, on, by: unit, count: unique ? 'users' : 'events', view }));
}

/** The state that a fragment carries. Whatever is missing or unknown is as at first, but a link with one expression has no other. */
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
