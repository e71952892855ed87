import type { ViewName } from '../answers/answer.ts';

/** A form field for a request parameter. An empty field is not sent; the server then uses its default. */
export type Field = {
  readonly label: string;
  readonly hint?: string;
  /** The page reads this field itself. It is not a parameter. */
  readonly isLocal?: true;
} & (
  | { readonly kind: 'text'; readonly suggest: 'events' | 'properties' }
  /** Names, one per line, sent as a JSON array. */
  | { readonly kind: 'list'; readonly suggest?: 'events' }
  | { readonly kind: 'date' }
  | { readonly kind: 'number'; readonly min: number; readonly max?: number }
  /** `choices` maps each value to its label. */
  | { readonly kind: 'choice'; readonly choices: Readonly<Record<string, string>> }
  /** `event` is the parameter that names the event whose properties the editor suggests. */
  | { readonly kind: 'expression'; readonly use: 'where' | 'on' | 'number'; readonly event: string }
  /** A saved funnel, or the steps of the field `steps`. */
  | { readonly kind: 'funnel' }
  | { readonly kind: 'steps' }
);

/** The value of a funnel field that chooses the steps of the form instead of a saved funnel. */
export const OWN_STEPS = 'own';

/** A query of the page: its endpoint below `/api/2.0/`, its fields by parameter name, and the view of its result. */
export interface PageQuery {
  readonly title: string;
  /** The measure, of queries that share a form and differ in it. */
  readonly measure?: string;
  readonly path: string;
  readonly view: ViewName;
  readonly fields: Readonly<Record<string, Field>>;
}

const event: Field = { kind: 'text', label: 'Event', suggest: 'events' };
const dates = { from_date: { kind: 'date', label: 'From' }, to_date: { kind: 'date', label: 'To' } } as const;
const type = choice('Count', { general: 'Total', unique: 'Unique users', average: 'Average per user' });
const compare: Field = { ...choice('Compare with', { '': 'nothing', before: 'the period before' }), isLocal: true };
const where: Field = { kind: 'expression', label: 'Filter', use: 'where', event: 'event' };
const on: Field = { kind: 'expression', label: 'Group by', use: 'on', event: 'event' };
const number: Field = { ...on, label: 'Numeric expression', use: 'number' };
const interval: Field = { kind: 'number', label: 'Days per bucket', hint: 'one unit', min: 1 };
const hourOrDay = units('day', 'hour');
const dayToMonth = units('day', 'week', 'month');
const minuteToMonth = units('day', 'week', 'month', 'hour', 'minute');

// biome-ignore format: a table with one query per row
export const QUERIES = {
  segmentation: { title: 'Segmentation', measure: 'Events or users', path: 'segmentation', view: 'lines',
    fields: { event, ...dates, where, on, type, unit: units('day', 'month', 'hour', 'minute'), interval, limit: limit('Max segments', 60), compare } },
  numeric: { title: 'Segmentation', measure: 'Ranges of a number', path: 'segmentation/numeric', view: 'ranges',
    fields: { event, ...dates, where, on: number, type, unit: hourOrDay, buckets: limit('Number of ranges', 12) } },
  sum: { title: 'Segmentation', measure: 'Sum of a number', path: 'segmentation/sum', view: 'lines',
    fields: { event, ...dates, where, on: number, unit: hourOrDay } },
  average: { title: 'Segmentation', measure: 'Average of a number', path: 'segmentation/average', view: 'lines',
    fields: { event, ...dates, where, on: number, unit: hourOrDay } },
  events: { title: 'Events', path: 'events', view: 'lines',
    fields: { event: { kind: 'list', label: 'Events', suggest: 'events', hint: 'one per line' }, ...dates, type, unit: minuteToMonth, interval, compare } },
  top: { title: 'Top events', path: 'events/top', view: 'top',
    fields: { type, limit: count('Max events', 100) } },
  properties: { title: 'Properties', path: 'events/properties', view: 'lines',
    fields: { event, name: { kind: 'text', label: 'Property', suggest: 'properties' }, values: { kind: 'list', label: 'Values', hint: 'one per line; empty for the most frequent' },
      ...dates, type, unit: minuteToMonth, interval, limit: count('Max values', 255), compare } },
  funnels: { title: 'Funnels', path: 'funnels', view: 'funnel',
    fields: { funnel_id: { kind: 'funnel', label: 'Funnel' }, steps: { kind: 'steps', label: 'Steps' }, ...dates, where, on,
      length: { kind: 'number', label: 'Conversion window', hint: '14 days, or as saved', min: 1 }, length_unit: { ...choice('Window unit', { '': '', second: 'seconds', minute: 'minutes', hour: 'hours', day: 'days' }), hint: 'days, or as saved' },
      unit: dayToMonth, interval, limit: limit('Max segments', 255) } },
  retention: { title: 'Retention', path: 'retention', view: 'retention',
    fields: { retention_type: choice('Retention type', { birth: 'First-time', compounded: 'Recurring' }), born_event: { ...event, label: 'First event' },
      born_where: { ...where, label: 'First event filter', event: 'born_event' },
      event: { ...event, label: 'Return event', hint: 'any event' },
      where: { ...where, label: 'Return event filter' }, on,
      ...dates, unit: dayToMonth, interval: { ...interval, label: 'Days per interval', max: 90 },
      interval_count: { kind: 'number', label: 'Intervals after the first', hint: '1', min: 0, max: 10_000 }, limit: limit('Max segments', 255) } },
  addiction: { title: 'Frequency', path: 'retention/addiction', view: 'addiction',
    fields: { event: { ...event, hint: 'any event' }, ...dates, where, on, unit: dayToMonth, addiction_unit: choice('Count active', { hour: 'hours', day: 'days' }), limit: limit('Max segments', 255) } },
  people: { title: 'People', path: 'engage', view: 'people',
    fields: { where, distinct_ids: { kind: 'list', label: 'Users', hint: 'distinct IDs, one per line' }, output_properties: { kind: 'list', label: 'Properties', hint: 'one per line; empty for all' } } },
} as const satisfies Readonly<Record<string, PageQuery>>;

export type QuestionName = keyof typeof QUERIES;

function choice(label: string, choices: Readonly<Record<string, string>>): Field {
  return { kind: 'choice', label, choices };
}

function units(...names: readonly string[]): Field {
  return choice('Time unit', Object.fromEntries(names.map((name) => [name, name])));
}

/** Returns a field for a maximum number of results. */
function count(label: string, defaultValue: number): Field & { kind: 'number' } {
  return { kind: 'number', label, hint: String(defaultValue), min: 1 };
}

/** Returns a field for a maximum number of segments. The API allows up to 10,000. */
function limit(label: string, defaultValue: number): Field {
  return { ...count(label, defaultValue), max: 10_000 };
}

/** Returns the queries that share a form, with what each measures; none if no other query has the same form. */
export function listMeasures(name: QuestionName): readonly (readonly [name: QuestionName, measure: string])[] {
  const { title, measure }: PageQuery = QUERIES[name];
  if (measure === undefined) return [];
  return Object.entries<PageQuery>(QUERIES).flatMap(([other, query]) => {
    return query.title === title && query.measure !== undefined
      ? [[other as QuestionName, query.measure] as const]
      : [];
  });
}
