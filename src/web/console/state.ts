import { type ConsoleQuery, type ConsoleQueryName, type Field, QUERIES } from './queries.ts';

/** What a person has set: all that a link carries. */
export interface ConsoleState {
  readonly query: ConsoleQueryName;
  /** The texts of the fields by their parameters, those of other queries too. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Days up to today that are looked at where nobody says. */
const DAYS = 30;

/** What is set at first: the days up to one. */
export function startState(today: Date): ConsoleState {
  const day = (back: number) => dayText(new Date(today.getFullYear(), today.getMonth(), today.getDate() - back));
  return { query: 'segmentation', texts: { from_date: day(DAYS - 1), to_date: day(0) } };
}

/** The fields of the query that is asked, by their parameters. */
export function getFields({ query }: ConsoleState): [name: string, field: Field][] {
  return Object.entries((QUERIES[query] as ConsoleQuery).fields);
}

/** The parameters of the request. What is blank is not sent. */
export function getParameters(state: ConsoleState): [name: string, value: string][] {
  return getFields(state).flatMap(([name, field]) => {
    const text = (state.texts[name] ?? '').trim();
    return text === '' ? [] : [[name, field.kind === 'list' ? JSON.stringify(text.split(/\s*\n\s*/)) : text]];
  });
}

/** The state as the fragment of a link, which no server gets to see. */
export function formatConsoleLink(state: ConsoleState): string {
  const texts = getFields(state).flatMap(([name]) => (state.texts[name] ? [[name, state.texts[name]]] : []));
  return String(new URLSearchParams({ query: state.query, ...Object.fromEntries(texts) }));
}

/** The state that a link leads to: what it says of its query, beside what was set for others. */
export function followLink(state: ConsoleState, fragment: string): ConsoleState {
  const { query, ...given } = Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, '')));
  if (!isQueryName(query)) return state;
  const { fields }: ConsoleQuery = QUERIES[query];
  // No question goes without dates.
  const others = Object.entries(state.texts).filter(([name]) => (fields[name]?.kind ?? 'date') === 'date');
  return { query, texts: { ...Object.fromEntries(others), ...given } };
}

function isQueryName(name: string | undefined): name is ConsoleQueryName {
  return name !== undefined && Object.hasOwn(QUERIES, name);
}

/** `yyyy-mm-dd` of the local day. */
function dayText(date: Date): string {
  const digits = (number: number, length: number) => String(number).padStart(length, '0');
  return [digits(date.getFullYear(), 4), digits(date.getMonth() + 1, 2), digits(date.getDate(), 2)].join('-');
}
