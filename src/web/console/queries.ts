/** A parameter as a person sets it. Without a value it is not sent, and the server has a default. */
export type Field = { readonly label: string; readonly hint?: string } & (
  | { readonly kind: 'text'; readonly suggest: 'events' | 'properties' }
  /** Names, one a line, which are sent as a JSON array. */
  | { readonly kind: 'list'; readonly suggest?: 'events' }
  | { readonly kind: 'date' }
  | { readonly kind: 'number'; readonly least: number; readonly most?: number }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** `event` is the parameter with the event that it reads from. */
  | { readonly kind: 'expression'; readonly use: 'where' | 'on' | 'number'; readonly event: string }
  | { readonly kind: 'funnel' }
);

/** How an answer is shown. */
type ViewName = 'lines' | 'ranges' | 'top' | 'funnel' | 'retention' | 'addiction' | 'people';

/** Something to ask: its endpoint below `/api/2.0/`, the parameters by their published names, and the view of the answer. */
export interface ConsoleQuery {
  readonly title: string;
  readonly path: string;
  readonly view: ViewName;
  readonly fields: Readonly<Record<string, Field>>;
}

const event: Field = { kind: 'text', label: 'Event', suggest: 'events' };
const dates = { from_date: { kind: 'date', label: 'From' }, to_date: { kind: 'date', label: 'To' } } as const;
const type = choice('Count', 'general', 'unique', 'average');
const where: Field = { kind: 'expression', label: 'Filter', use: 'where', event: 'event' };
const on: Field = { kind: 'expression', label: 'Segment by', use: 'on', event: 'event' };
const number: Field = { ...on, label: 'Number', use: 'number' };
const interval: Field = { kind: 'number', label: 'Days in a bucket', hint: 'one unit', least: 1 };
const hourOrDay = choice('Unit', 'day', 'hour');
const dayToMonth = choice('Unit', 'day', 'week', 'month');
const minuteToMonth = choice('Unit', 'day', 'week', 'month', 'hour', 'minute');

// biome-ignore format: a table, to be read by its rows
export const QUERIES = {
  segmentation: { title: 'Segmentation', path: 'segmentation', view: 'lines',
    fields: { event, ...dates, where, on, type, unit: choice('Unit', 'day', 'month', 'hour', 'minute'), interval, limit: limit('Segments', 60) } },
  numeric: { title: 'Ranges', path: 'segmentation/numeric', view: 'ranges',
    fields: { event, ...dates, where, on: number, type, unit: hourOrDay, buckets: limit('Ranges', 12) } },
  sum: { title: 'Sum', path: 'segmentation/sum', view: 'lines',
    fields: { event, ...dates, where, on: number, unit: hourOrDay } },
  average: { title: 'Average', path: 'segmentation/average', view: 'lines',
    fields: { event, ...dates, where, on: number, unit: hourOrDay } },
  events: { title: 'Events', path: 'events', view: 'lines',
    fields: { event: { kind: 'list', label: 'Events', suggest: 'events', hint: 'one a line' }, ...dates, type, unit: minuteToMonth } },
  top: { title: 'Top events', path: 'events/top', view: 'top',
    fields: { type, limit: limit('Events', 100) } },
  properties: { title: 'Properties', path: 'events/properties', view: 'lines',
    fields: { event, name: { kind: 'text', label: 'Property', suggest: 'properties' }, values: { kind: 'list', label: 'Values', hint: 'one a line; without any, the most frequent' },
      ...dates, type, unit: minuteToMonth, limit: limit('Values shown', 255) } },
  funnels: { title: 'Funnels', path: 'funnels', view: 'funnel',
    fields: { funnel_id: { kind: 'funnel', label: 'Funnel' }, ...dates, where, on,
      length: { kind: 'number', label: 'Time to complete', hint: 'as saved', least: 1 }, length_unit: { ...choice('Its unit', '', 'second', 'minute', 'hour', 'day'), hint: 'as saved' },
      unit: dayToMonth, interval, limit: limit('Segments', 255) } },
  retention: { title: 'Retention', path: 'retention', view: 'retention',
    fields: { retention_type: choice('Type of retention', 'birth', 'compounded'), born_event: { ...event, label: 'First do' },
      born_where: { ...where, label: 'Filter of what they first do', event: 'born_event' },
      event: { ...event, label: 'And come back to', hint: 'any event' },
      where: { ...where, label: 'Filter of what they come back to' }, on,
      ...dates, unit: dayToMonth, interval: { ...interval, label: 'Days in an interval', most: 90 },
      interval_count: { kind: 'number', label: 'Intervals after the first', hint: '1', least: 0 }, limit: limit('Segments', 255) } },
  addiction: { title: 'Addiction', path: 'retention/addiction', view: 'addiction',
    fields: { event: { ...event, hint: 'any event' }, ...dates, where, on, unit: dayToMonth, addiction_unit: choice('Count the', 'hour', 'day'), limit: limit('Segments', 255) } },
  people: { title: 'People', path: 'engage', view: 'people',
    fields: { where } },
} as const satisfies Readonly<Record<string, ConsoleQuery>>;

export type ConsoleQueryName = keyof typeof QUERIES;

function choice(label: string, ...choices: readonly string[]): Field {
  return { kind: 'choice', label, choices };
}

/** How many are shown; 10,000 is the most that the interface allows. */
function limit(label: string, standard: number): Field {
  return { kind: 'number', label, hint: String(standard), least: 1, most: 10_000 };
}
