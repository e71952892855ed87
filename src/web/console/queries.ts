/** A form field for a parameter. An empty one is not sent, so that the default of the server applies. */
export type Field = { readonly label: string; readonly hint?: string } & (
  | { readonly kind: 'text'; readonly suggest: 'events' | 'properties' }
  /** Names, one per line, sent as a JSON array. */
  | { readonly kind: 'list'; readonly suggest?: 'events' }
  | { readonly kind: 'date' }
  | { readonly kind: 'number'; readonly min: number; readonly max?: number }
  | { readonly kind: 'choice'; readonly choices: Choices }
  /** `event` is the parameter that names the event whose properties it reads. */
  | { readonly kind: 'expression'; readonly use: 'where' | 'on' | 'number'; readonly event: string }
  | { readonly kind: 'funnel' }
);

/** The titles of choices by the values that are sent. */
type Choices = Readonly<Record<string, string>>;

/** The way to show a result. */
type ViewName = 'lines' | 'ranges' | 'top' | 'funnel' | 'retention' | 'addiction' | 'people';

/** A query: its endpoint below `/api/2.0/`, its parameters, and the view of its result. */
export interface ConsoleQuery {
  readonly title: string;
  readonly path: string;
  readonly view: ViewName;
  readonly fields: Readonly<Record<string, Field>>;
}

const event: Field = { kind: 'text', label: 'Event', suggest: 'events' };
const dates = { from_date: { kind: 'date', label: 'From' }, to_date: { kind: 'date', label: 'To' } } as const;
const type = choice('Count', { general: 'Total', unique: 'Unique users', average: 'Average per user' });
const where: Field = { kind: 'expression', label: 'Filter', use: 'where', event: 'event' };
const on: Field = { kind: 'expression', label: 'Group by', use: 'on', event: 'event' };
const number: Field = { ...on, label: 'Number', use: 'number' };
const interval: Field = { kind: 'number', label: 'Days per bucket', hint: 'one unit', min: 1 };
const hourOrDay = chooseUnit('day', 'hour');
const dayToMonth = chooseUnit('day', 'week', 'month');
const minuteToMonth = chooseUnit('day', 'week', 'month', 'hour', 'minute');

// biome-ignore format: a table is easier to read
export const QUERIES = {
  segmentation: { title: 'Segmentation', path: 'segmentation', view: 'lines',
    fields: { event, ...dates, where, on, type, unit: chooseUnit('day', 'month', 'hour', 'minute'), interval, limit: limit('Groups', 60) } },
  numeric: { title: 'Ranges', path: 'segmentation/numeric', view: 'ranges',
    fields: { event, ...dates, where, on: number, type, unit: hourOrDay, buckets: limit('Ranges', 12) } },
  sum: { title: 'Sum', path: 'segmentation/sum', view: 'lines',
    fields: { event, ...dates, where, on: number, unit: hourOrDay } },
  average: { title: 'Average', path: 'segmentation/average', view: 'lines',
    fields: { event, ...dates, where, on: number, unit: hourOrDay } },
  events: { title: 'Events', path: 'events', view: 'lines',
    fields: { event: { kind: 'list', label: 'Events', suggest: 'events', hint: 'one per line' }, ...dates, type, unit: minuteToMonth } },
  top: { title: 'Top events', path: 'events/top', view: 'top',
    fields: { type, limit: limit('Events', 100) } },
  properties: { title: 'Properties', path: 'events/properties', view: 'lines',
    fields: { event, name: { kind: 'text', label: 'Property', suggest: 'properties' }, values: { kind: 'list', label: 'Values', hint: 'one per line; default: the most frequent' },
      ...dates, type, unit: minuteToMonth, limit: limit('Number of values', 255) } },
  funnels: { title: 'Funnels', path: 'funnels', view: 'funnel',
    fields: { funnel_id: { kind: 'funnel', label: 'Funnel' }, ...dates, where, on,
      length: { kind: 'number', label: 'Time to complete', hint: 'as saved', min: 1 }, length_unit: choice('Unit of this time', { '': 'as saved', second: 'second', minute: 'minute', hour: 'hour', day: 'day' }),
      unit: dayToMonth, interval, limit: limit('Groups', 255) } },
  retention: { title: 'Retention', path: 'retention', view: 'retention',
    fields: { retention_type: choice('Type', { birth: 'First time', compounded: 'Recurring' }), born_event: { ...event, label: 'First event' },
      born_where: { ...where, label: 'Filter of the first event', event: 'born_event' },
      event: { ...event, label: 'Returning event', hint: 'any event' },
      where: { ...where, label: 'Filter of the returning event' }, on,
      ...dates, unit: dayToMonth, interval: { ...interval, label: 'Days per interval', max: 90 },
      interval_count: { kind: 'number', label: 'Intervals after the first', hint: '1', min: 0 }, limit: limit('Groups', 255) } },
  addiction: { title: 'Frequency', path: 'retention/addiction', view: 'addiction',
    fields: { event: { ...event, hint: 'any event' }, ...dates, where, on, unit: dayToMonth, addiction_unit: choice('Count active', { hour: 'hours', day: 'days' }), limit: limit('Groups', 255) } },
  people: { title: 'People', path: 'engage', view: 'people',
    fields: { where } },
} as const satisfies Readonly<Record<string, ConsoleQuery>>;

export type ConsoleQueryName = keyof typeof QUERIES;

function choice(label: string, choices: Choices): Field {
  return { kind: 'choice', label, choices };
}

function chooseUnit(...units: readonly string[]): Field {
  return choice('Unit', Object.fromEntries(units.map((unit) => [unit, unit])));
}

/** Declares the number of rows to show, up to the maximum of the server. */
function limit(label: string, defaultValue: number): Field {
  return { kind: 'number', label, hint: String(defaultValue), min: 1, max: 10_000 };
}
