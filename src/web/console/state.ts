import { type ConsoleQuery, type ConsoleQueryName, type Field, QUERIES } from './queries.ts';

/** The state of the page that a link carries. */
export interface ConsoleState {
  readonly query: ConsoleQueryName;
  /** The values of fields by parameter name, including the fields of other queries. */
  readonly values: Readonly<Record<string, string>>;
}

/** Default length of the date range, in days up to today. */
const DAYS = 30;

/** Creates the initial state, with a date range that ends today. */
export function createStartState(today: Date): ConsoleState {
  const day = (daysAgo: number) =>
    formatDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo));
  return { query: 'segmentation', values: { from_date: day(DAYS - 1), to_date: day(0) } };
}

/** Returns the fields of the current query by parameter name. */
export function getFields({ query }: ConsoleState): [name: string, field: Field][] {
  return Object.entries((QUERIES[query] as ConsoleQuery).fields);
}

/** Returns the parameters of the request, without blank ones. */
export function getParameters(state: ConsoleState): [name: string, value: string][] {
  return getFields(state).flatMap(([name, field]) => {
    const value = (state.values[name] ?? '').trim();
    return value === '' ? [] : [[name, field.kind === 'list' ? JSON.stringify(value.split(/\s*\n\s*/)) : value]];
  });
}

/** Formats the state as the fragment of a link. Browsers do not send fragments to servers. */
export function formatConsoleLink(state: ConsoleState): string {
  const values = getFields(state).flatMap(([name]) => (state.values[name] ? [[name, state.values[name]]] : []));
  return String(new URLSearchParams({ query: state.query, ...Object.fromEntries(values) }));
}

/** Returns the state after following a link: its query and values, and the values of fields of other queries. */
export function followLink(state: ConsoleState, fragment: string): ConsoleState {
  const { query, ...values } = Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, '')));
  if (!isQueryName(query)) return state;
  const { fields }: ConsoleQuery = QUERIES[query];
  // A link without dates keeps the current ones.
  const others = Object.entries(state.values).filter(([name]) => (fields[name]?.kind ?? 'date') === 'date');
  return { query, values: { ...Object.fromEntries(others), ...values } };
}

function isQueryName(name: string | undefined): name is ConsoleQueryName {
  return name !== undefined && Object.hasOwn(QUERIES, name);
}

/** Formats the local day as `yyyy-mm-dd`. */
function formatDay(date: Date): string {
  const digits = (number: number, length: number) => String(number).padStart(length, '0');
  return [digits(date.getFullYear(), 4), digits(date.getMonth() + 1, 2), digits(date.getDate(), 2)].join('-');
}
