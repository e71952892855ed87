import { type ConsoleQuery, type ConsoleQueryName, type Field, QUERIES } from './queries.ts';

/** The state of the page, which a link carries. */
export interface ConsoleState {
  readonly query: ConsoleQueryName;
  /** The text of each field by parameter, also of other queries. */
  readonly texts: Readonly<Record<string, string>>;
}

/** The default number of days to query, up to today. */
const DAYS = 30;

/** Returns the initial state: the last days up to a date. */
export function startState(today: Date): ConsoleState {
  const day = (back: number) => formatDay(new Date(today.getFullYear(), today.getMonth(), today.getDate() - back));
  return { query: 'segmentation', texts: { from_date: day(DAYS - 1), to_date: day(0) } };
}

/** Returns the fields of the current query with their parameters. */
export function getFields({ query }: ConsoleState): [name: string, field: Field][] {
  return Object.entries((QUERIES[query] as ConsoleQuery).fields);
}

/** Returns the parameters of the request. Blank fields are not sent. */
export function getParameters(state: ConsoleState): [name: string, value: string][] {
  return getFields(state).flatMap(([name, field]) => {
    const text = (state.texts[name] ?? '').trim();
    return text === '' ? [] : [[name, field.kind === 'list' ? JSON.stringify(text.split(/\s*\n\s*/)) : text]];
  });
}

/** Returns the state as the fragment of a link, which browsers do not send to servers. */
export function formatConsoleLink(state: ConsoleState): string {
  const texts = getFields(state).flatMap(([name]) => (state.texts[name] ? [[name, state.texts[name]]] : []));
  return String(new URLSearchParams({ query: state.query, ...Object.fromEntries(texts) }));
}

/** Returns the state of a link. Keeps the dates that it does not set. */
export function followLink(state: ConsoleState, fragment: string): ConsoleState {
  const { query, ...given } = Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, '')));
  if (!isQueryName(query)) return state;
  const { fields }: ConsoleQuery = QUERIES[query];
  // Every query needs dates.
  const others = Object.entries(state.texts).filter(([name]) => (fields[name]?.kind ?? 'date') === 'date');
  return { query, texts: { ...Object.fromEntries(others), ...given } };
}

function isQueryName(name: string | undefined): name is ConsoleQueryName {
  return name !== undefined && Object.hasOwn(QUERIES, name);
}

/** Formats the local day as `yyyy-mm-dd`. */
function formatDay(date: Date): string {
  const digits = (number: number, length: number) => String(number).padStart(length, '0');
  return [digits(date.getFullYear(), 4), digits(date.getMonth() + 1, 2), digits(date.getDate(), 2)].join('-');
}
