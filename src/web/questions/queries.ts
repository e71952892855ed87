import { ENDPOINTS } from '../../queries/endpoints/endpoints.ts';
import { expressionText, funnelSteps, type ParameterKind } from '../../queries/endpoints/kinds.ts';
import type { ViewName } from '../answers/answer.ts';

/** A field of a question: a parameter of its endpoint. An empty field is not sent; the endpoint then uses its default. */
export interface Field {
  /** The name of the parameter. */
  readonly name: string;
  /** Questions share the values of fields with the same key. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly kind: FieldKind;
  /** The values of a choice. */
  readonly choices: readonly string[];
  /** The default of the endpoint. */
  readonly fallback: string;
}

type FieldKind = 'name' | 'names' | 'date' | 'number' | 'choice' | 'expression' | 'steps' | 'funnel';

/** The tabs that ask questions. */
export const TABS = { trends: 'Trends', funnels: 'Funnels', retention: 'Retention', people: 'People' } as const;

export type Tab = keyof typeof TABS;

/** A question: its endpoint below `/api/2.0/`, and how it reads. */
export interface PageQuery {
  readonly tab: Tab;
  /** Names the question within its tab. */
  readonly measure: string;
  readonly path: string;
  readonly view: ViewName;
  /** The sentence of the question: words, and its fields in braces. `dates` is both dates. */
  readonly line: string;
  /** Set if its expression `on` must be a number. */
  readonly on?: 'number';
}

// biome-ignore format: a table with one question per row
export const QUERIES = {
  segmentation: { tab: 'trends', measure: 'Total', path: 'segmentation', view: 'lines', line: '{measure} of {event} in {dates} per {unit} by {on} {compare}' },
  sum: { tab: 'trends', measure: 'Sum of a number', path: 'segmentation/sum', view: 'lines', on: 'number', line: '{measure} {on} of {event} in {dates} per {unit}' },
  average: { tab: 'trends', measure: 'Average of a number', path: 'segmentation/average', view: 'lines', on: 'number', line: '{measure} {on} of {event} in {dates} per {unit}' },
  numeric: { tab: 'trends', measure: 'Ranges of a number', path: 'segmentation/numeric', view: 'ranges', on: 'number', line: '{measure} {on} of {event} in {dates}' },
  events: { tab: 'trends', measure: 'Several events', path: 'events', view: 'lines', line: '{measure} {event} counting {type} in {dates} per {unit} {compare}' },
  properties: { tab: 'trends', measure: 'Values of a property', path: 'events/properties', view: 'lines', line: '{measure} {name} of {event} counting {type} in {dates} per {unit} {compare}' },
  top: { tab: 'trends', measure: 'Top events today', path: 'events/top', view: 'top', line: '{measure} counting {type}' },
  funnels: { tab: 'funnels', measure: 'Funnel', path: 'funnels', view: 'funnel', line: '{funnel_id} Users who {steps} within {length} {length_unit} in {dates} by {on}' },
  retention: { tab: 'retention', measure: 'Return', path: 'retention', view: 'retention', line: '{measure} of {retention_type} users from {born_event} to {event} in {dates} per {unit} by {on}' },
  addiction: { tab: 'retention', measure: 'Frequency', path: 'retention/addiction', view: 'addiction', line: '{measure} of {event} in {dates} active {addiction_unit} per {unit} by {on}' },
  people: { tab: 'people', measure: 'People', path: 'engage', view: 'people', line: 'People' },
} as const satisfies Readonly<Record<string, PageQuery>>;

export type QuestionName = keyof typeof QUERIES;

/** Parameters without a field: data sets, pages and other formats of the response. */
const WITHOUT_FIELDS = ['verbose', 'dataset_id', 'dataset_version', 'format', 'page', 'session_id'];

const LABELS: Readonly<Record<string, string>> = {
  event: 'Event',
  name: 'Property',
  values: 'Values',
  from_date: 'From',
  to_date: 'To',
  where: 'Filter',
  on: 'Group by',
  type: 'Count',
  unit: 'Time unit',
  interval: 'Days per bucket',
  limit: 'Max segments',
  buckets: 'Number of ranges',
  funnel_id: 'Funnel',
  steps: 'Steps',
  length: 'Conversion window',
  length_unit: 'Window unit',
  retention_type: 'Retention type',
  born_event: 'First event',
  born_where: 'First event filter',
  interval_count: 'Intervals after the first',
  addiction_unit: 'Unit of activity',
  distinct_ids: 'Users',
  output_properties: 'Properties',
};

/** The words of choices. Others are their own. */
const CHOICES: Readonly<Record<string, string>> = {
  general: 'total',
  unique: 'unique users',
  average: 'average per user',
  birth: 'first-time',
  compounded: 'recurring',
};

/** Returns the words of a value, by the field that it belongs to. */
export function describeChoice({ name }: Field, value: string): string {
  if (name === 'addiction_unit' || name === 'length_unit') return `${value}s`;
  return CHOICES[value] ?? value;
}

const ENUM_KINDS: ReadonlyMap<ParameterKind<unknown>, FieldKind> = new Map<ParameterKind<unknown>, FieldKind>([
  [expressionText, 'expression'],
  [funnelSteps, 'steps'],
]);

/** The schema of a parameter, as far as a field follows from it. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
}

const FIELDS: ReadonlyMap<string, readonly Field[]> = new Map(
  Object.values<PageQuery>(QUERIES).map((query) => [query.path, createFields(query)]),
);

/** Compares the result with the period before. It is no parameter. */
export const COMPARE: Field = {
  name: 'compare',
  key: 'compare',
  label: 'Compare',
  description: 'Compare with the period before.',
  isRequired: false,
  kind: 'choice',
  choices: ['before'],
  fallback: '',
};

function createFields({ path, on }: PageQuery): readonly Field[] {
  const { parameters = {} } = ENDPOINTS.find((endpoint) => endpoint.path === `/${path}`) ?? {};
  return Object.entries(parameters)
    .filter(([name]) => !WITHOUT_FIELDS.includes(name))
    .map(([name, { kind, description, isRequired, defaultValue }]) => {
      const schema = kind.schema as Schema;
      const isNumber = name === 'on' && on === 'number';
      return {
        name,
        // What groups is seldom a number.
        key: `${name}: ${isNumber ? 'a number' : kind.takes}`,
        label: isNumber ? 'Number' : (LABELS[name] ?? name),
        description,
        isRequired,
        kind: ENUM_KINDS.get(kind) ?? findKind(name, schema),
        choices: schema.enum ?? [],
        fallback: defaultValue === undefined ? '' : String(defaultValue),
      };
    });
}

function findKind(name: string, { type, format, enum: choices }: Schema): FieldKind {
  if (name === 'funnel_id') return 'funnel';
  if (choices !== undefined) return 'choice';
  if (type === 'integer') return 'number';
  if (type === 'string') return format === 'date' ? 'date' : 'name';
  return 'names';
}

/** Returns the fields of a question, in the order of its endpoint. */
export function listFields(name: QuestionName): readonly Field[] {
  const { path, line }: PageQuery = QUERIES[name];
  const fields = FIELDS.get(path) ?? [];
  return line.includes('{compare}') ? [...fields, COMPARE] : fields;
}

/** Returns a field of a question by the name of its parameter. */
export function findField(query: QuestionName, name: string): Field | undefined {
  return listFields(query).find((field) => field.name === name);
}

/** Returns the questions of a tab. */
export function listQuestions(tab: Tab): readonly QuestionName[] {
  return (Object.keys(QUERIES) as QuestionName[]).filter((name) => QUERIES[name].tab === tab);
}

/** A part of the sentence of a question: words, or a field with the words before it. */
export interface LinePart {
  readonly words: string;
  /** Undefined after the last field. */
  readonly field: string | undefined;
}

/** Splits the sentence of a question at its fields. */
export function splitLine(line: string): readonly LinePart[] {
  return [...line.matchAll(/([^{]*)(?:\{(\w+)\}|$)/g)]
    .map(([, words = '', field]) => ({ words: words.trim(), field }))
    .filter(({ words, field }) => words !== '' || field !== undefined);
}
