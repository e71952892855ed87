import { type Field, OWN_STEPS, type PageQuery, QUERIES, type QuestionName } from './queries.ts';

/** The state of the page that a link carries. */
export interface QuestionState {
  readonly query: QuestionName;
  /** The values of fields, including those of other queries. Queries share the values of the fields that they share. */
  readonly values: ReadonlyMap<Field, string>;
}

/** Default length of the date range, in days up to today. */
const DAYS = 30;

/** Creates the initial state, with a date range that ends today. */
export function createStartState(today: Date): QuestionState {
  const day = (daysAgo: number) =>
    formatDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo));
  const { from_date: from, to_date: to } = QUERIES.segmentation.fields;
  return {
    query: 'segmentation',
    values: new Map<Field, string>([
      [from, day(DAYS - 1)],
      [to, day(0)],
    ]),
  };
}

/** A range of days, `yyyy-mm-dd`. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Returns the dates of a state, which queries share. */
export function getDates(state: QuestionState): DayRange {
  const { from_date, to_date } = QUERIES.segmentation.fields;
  return { from: getFieldValue(state, from_date), to: getFieldValue(state, to_date) };
}

/** Returns a state with other dates. */
export function setDates({ query, values }: QuestionState, { from, to }: DayRange): QuestionState {
  const { from_date, to_date } = QUERIES.segmentation.fields;
  return { query, values: new Map(values).set(from_date, from).set(to_date, to) };
}

/** Returns a state with dates that were chosen in a chart, which end where they did if `to` is undefined. */
export function zoomDates(state: QuestionState, from: string, to: string | undefined): QuestionState {
  const shown = getDates(state);
  // The first bucket can begin before the dates.
  return setDates(state, { from: from < shown.from ? shown.from : from, to: to ?? shown.to });
}

/** Returns a state that counts an event over the dates. */
export function countEvent({ values }: QuestionState, event: string): QuestionState {
  return { query: 'segmentation', values: new Map(values).set(QUERIES.segmentation.fields.event, event) };
}

/** Returns whether a state has other dates than those given. */
export function hasOtherDates(state: QuestionState, given: DayRange): boolean {
  const { from, to } = getDates(state);
  return from !== given.from || to !== given.to;
}

/** Returns the fields of the current query by parameter name. */
export function getFields({ query }: QuestionState): [name: string, field: Field][] {
  return Object.entries((QUERIES[query] as PageQuery).fields);
}

/** Returns the value of a field. */
export function getFieldValue({ values }: QuestionState, field: Field): string {
  return values.get(field) ?? '';
}

/** Returns the parameters of the request, without blank ones. */
export function getParameters(state: QuestionState): [name: string, value: string][] {
  const isOwn = hasOwnSteps(state);
  return getFields(state).flatMap(([name, field]) => {
    const value = getFieldValue(state, field).trim();
    if (value === '' || field.isLocal || (field.kind === 'funnel' && isOwn) || (field.kind === 'steps' && !isOwn))
      return [];
    return [[name, field.kind === 'list' ? JSON.stringify(value.split(/\s*\n\s*/)) : value]];
  });
}

/** Returns whether a funnel has the steps of the form, not those of a saved one. */
export function hasOwnSteps(state: QuestionState): boolean {
  const value = getFieldValue(state, QUERIES.funnels.fields.funnel_id);
  return value === '' || value === OWN_STEPS;
}

/** Returns whether the result is compared with that of the period before. */
export function hasComparison(state: QuestionState): boolean {
  const field = getFields(state).find(([name]) => name === 'compare')?.[1];
  return field !== undefined && getFieldValue(state, field) !== '';
}

/** Formats the state as the fragment of a link. Browsers do not send fragments to servers. */
export function formatQuestionLink(state: QuestionState): string {
  const values = getFields(state).map(([name, field]) => [name, getFieldValue(state, field)] as const);
  return String(
    new URLSearchParams({ query: state.query, ...Object.fromEntries(values.filter(([, value]) => value !== '')) }),
  );
}

/** Returns the state after following a link: its query and values, and the values of fields of other queries. */
export function followLink(state: QuestionState, fragment: string): QuestionState {
  const link = new URLSearchParams(fragment.replace(/^#/, ''));
  const query = link.get('query') ?? undefined;
  if (!isQueryName(query)) return state;
  const values = new Map(state.values);
  for (const [name, field] of getFields({ query, values })) {
    const value = link.get(name);
    if (value !== null) values.set(field, value);
    // A link without dates keeps the current ones.
    else if (field.kind !== 'date') values.delete(field);
  }
  return { query, values };
}

/** Returns whether a link names a question. */
export function isQuestionLink(fragment: string): boolean {
  return isQueryName(new URLSearchParams(fragment.replace(/^#/, '')).get('query') ?? undefined);
}

function isQueryName(name: string | undefined): name is QuestionName {
  return name !== undefined && Object.hasOwn(QUERIES, name);
}

/** Formats the local day as `yyyy-mm-dd`. */
function formatDay(date: Date): string {
  const digits = (number: number, length: number) => String(number).padStart(length, '0');
  return [digits(date.getFullYear(), 4), digits(date.getMonth() + 1, 2), digits(date.getDate(), 2)].join('-');
}
