import { type Field, findField, listFields, QUERIES, type QuestionName, type Tab } from './queries.ts';

/** The state of the page that a link carries. */
export interface QuestionState {
  readonly query: QuestionName;
  /** The values of fields by key, including those of other questions. */
  readonly values: ReadonlyMap<string, string>;
}

/** A range of days, `yyyy-mm-dd`. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The question without any value. */
export const NEW_QUESTION: QuestionState = { query: 'segmentation', values: new Map() };

/** Returns the value of a field; empty if it has none. */
export function getFieldValue({ values }: QuestionState, field: Field): string {
  return values.get(field.key) ?? '';
}

/** Returns the value of a field of the current question, by the name of its parameter. */
export function getNamedValue(state: QuestionState, name: string): string {
  const field = findField(state.query, name);
  return field === undefined ? '' : getFieldValue(state, field);
}

/** Returns a state with other values for fields of the current question. Those that it does not have are left out. */
export function setValues(state: QuestionState, changes: Readonly<Record<string, string>>): QuestionState {
  const values = new Map(state.values);
  for (const [name, value] of Object.entries(changes)) {
    const field = findField(state.query, name);
    if (field !== undefined) values.set(field.key, value);
  }
  return { ...state, values };
}

/** Returns the dates, which questions share. */
export function getDates(state: QuestionState): DayRange {
  const read = (name: string) => {
    const field = findField('segmentation', name);
    return field === undefined ? '' : getFieldValue(state, field);
  };
  return { from: read('from_date'), to: read('to_date') };
}

/** Returns a state with dates that were chosen in a chart, which end where they did if `to` is undefined. */
export function zoomDates(state: QuestionState, from: string, to: string | undefined): QuestionState {
  const shown = getDates(state);
  // The first bucket can begin before the dates.
  return setValues(state, { from_date: from < shown.from ? shown.from : from, to_date: to ?? shown.to });
}

/** Returns the parameters of the request, without blank ones. */
export function getParameters(state: QuestionState): [name: string, value: string][] {
  const hasSteps = getNamedValue(state, 'steps').trim() !== '';
  return listFields(state.query).flatMap((field) => {
    const value = getFieldValue(state, field).trim();
    if (value === '' || field.name === 'compare' || (field.kind === 'funnel' && hasSteps)) return [];
    return [[field.name, field.kind === 'names' ? JSON.stringify(value.split(/\s*\n\s*/)) : value]];
  });
}

/** Returns whether the result is compared with that of the period before. */
export function hasComparison(state: QuestionState): boolean {
  return getNamedValue(state, 'compare') !== '';
}

/** Formats the state as the fragment of a link. Browsers do not send fragments to servers. */
export function formatQuestionLink(state: QuestionState): string {
  const values = listFields(state.query).map((field) => [field.name, getFieldValue(state, field)] as const);
  return String(
    new URLSearchParams({ query: state.query, ...Object.fromEntries(values.filter(([, value]) => value !== '')) }),
  );
}

/**
 * Returns the state after following a link: its question and values, and the values of fields of other questions.
 *
 * @param hasDates Whether a link without dates asks for all. Others keep the current ones.
 */
export function followLink(state: QuestionState, fragment: string, hasDates = false): QuestionState {
  const link = new URLSearchParams(fragment.replace(/^#/, ''));
  const query = link.get('query') ?? undefined;
  if (!isQuestionName(query)) return state;
  const values = new Map(state.values);
  for (const field of listFields(query)) {
    const value = link.get(field.name);
    if (value !== null) values.set(field.key, value);
    else if (field.kind !== 'date' || hasDates) values.delete(field.key);
  }
  return { query, values };
}

/** Returns whether a link names a question. */
export function isQuestionLink(fragment: string): boolean {
  return isQuestionName(new URLSearchParams(fragment.replace(/^#/, '')).get('query') ?? undefined);
}

function isQuestionName(name: string | undefined): name is QuestionName {
  return name !== undefined && Object.hasOwn(QUERIES, name);
}

/** Returns the tab of a question. */
export function getTab({ query }: QuestionState): Tab {
  return QUERIES[query].tab;
}
