import { parseJson } from '../base/parse-json.ts';

/** Parses JSON. Returns undefined for any other text. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
