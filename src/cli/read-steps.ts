import { InvalidArgumentError } from 'commander';
import { tryParseJson } from '../data/try-parse-json.ts';

/** Matches a step with its comma: a name, which has double quotes if there is a comma in it. */
const STEP = /(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/y;

/**
 * Reads the names of the steps of a funnel, separated by commas, as CSV is. Returns a JSON array of steps. One is
 * returned as it is.
 */
export function readSteps(text: string): string {
  if (Array.isArray(tryParseJson(text))) return text;
  const steps: { readonly event: string }[] = [];
  STEP.lastIndex = 0;
  for (let at = 0; at <= text.length; ) {
    const found = STEP.exec(text);
    const event = (found?.[1]?.replaceAll('""', '"') ?? found?.[2] ?? '').trim();
    if (found === null || event === '')
      throw new InvalidArgumentError(
        'Expected names of events, separated by commas. Quote a name with a comma: "a, b",c',
      );
    steps.push({ event });
    at = STEP.lastIndex;
    if (!found[0].endsWith(',')) break;
  }
  return JSON.stringify(steps);
}
