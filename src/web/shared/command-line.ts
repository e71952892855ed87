import { getParameterFlag } from '../../queries/endpoints/parameter-flag.ts';
import type { RequestParameters } from './query-api.ts';

/** The words of commands whose names differ from the paths of their endpoints. */
const WORDS: Readonly<Record<string, string>> = { funnels: 'funnel', engage: 'people', 'events/top': 'top' };

/** The parameters that are JSON arrays, by endpoint. */
const LISTS: Readonly<Record<string, string>> = { events: 'event', 'events/properties': 'values' };

/** Returns the words of the command that sends the same request to an endpoint. Lists give their option once for each value. */
export function toCommandWords(path: string, parameters: RequestParameters): string[] {
  const options = parameters.flatMap(([name, value]) => {
    const values: readonly string[] = LISTS[path] === name ? JSON.parse(value) : [value];
    return values.map((each) => `${getParameterFlag(name)}=${each}`);
  });
  return ['onwhere', ...(WORDS[path] ?? path.replaceAll('/', ' ')).split(' '), ...options];
}

/** Formats the command that sends the same request to a server, for a shell. A variable holds the secret. */
export function formatServerCommand(server: string, path: string, parameters: RequestParameters): string {
  return formatWords([...toCommandWords(path, parameters), `--server=${server}`]);
}

/** Formats the command that runs the same query on a file, for a shell. */
export function formatFileCommand(
  { name, timeZone }: { readonly name: string; readonly timeZone: string },
  path: string,
  parameters: RequestParameters,
): string {
  const zone = timeZone === 'UTC' ? [] : [`--time-zone=${timeZone}`];
  return formatWords([...toCommandWords(path, parameters), ...zone, name]);
}

function formatWords(words: readonly string[]): string {
  const lines = words.map((word) => {
    const quoted = /^[\w./:=-]+$/.test(word) ? word : quoteForShell(word);
    return word.startsWith('--') ? `\\\n  ${quoted}` : quoted;
  });
  return lines.join(' ');
}

/** Quotes a word for a POSIX shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
