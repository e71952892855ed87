import { isJsonObject } from '../../base/json.ts';
import { tryParseJson } from '../../data/try-parse-json.ts';

/** A step of a funnel. Without a filter, `where` is empty. */
export interface EditedStep {
  readonly event: string;
  readonly where: string;
}

/** Reads the steps of a link, which anyone may have written. */
export function parseSteps(json: string): EditedStep[] {
  const steps = tryParseJson(json);
  if (!Array.isArray(steps)) return [];
  return steps.filter(isJsonObject).map(({ event, where }) => {
    return { event: typeof event === 'string' ? event : '', where: typeof where === 'string' ? where : '' };
  });
}

/** Writes steps as the parameter of a request; empty without steps. */
export function formatSteps(steps: readonly EditedStep[]): string {
  const written = steps.map(({ event, where }) => (where.trim() === '' ? { event } : { event, where }));
  return written.length === 0 ? '' : JSON.stringify(written);
}
