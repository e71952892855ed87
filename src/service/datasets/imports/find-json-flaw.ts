import { isJsonObject } from '../../../base/json.ts';
import { truncate } from '../../../base/strings.ts';
import { quoteForMessage } from './quote-for-message.ts';

/** Deeper JSON may overflow the stack of code that walks through it later. */
const MAX_DEPTH = 128;

/** The maximum length of a path in a message. */
const MAX_PATH_WIDTH = 80;

interface Flaw {
  /** The path from the root to the value: `["items"][3]`. */
  readonly path: string;
  readonly problem: string;
}

/**
 * Describes why parsed JSON cannot be stored: it is nested too deep, or a number exceeds the range of a double, which
 * `JSON.stringify` would write as null. Returns undefined if it can be stored.
 *
 * @param name names the value in the message
 */
export function findJsonFlaw(name: string, json: unknown): string | undefined {
  const flaw = findFlaw(json, 1);
  return flaw && `${truncate(name + flaw.path, MAX_PATH_WIDTH)} ${flaw.problem}`;
}

function findFlaw(json: unknown, depth: number): Flaw | undefined {
  if (typeof json === 'number') {
    return Number.isFinite(json)
      ? undefined
      : { path: '', problem: 'is a number beyond 1.8e308. Send it as a string.' };
  }
  if (typeof json !== 'object' || json === null) return undefined;
  if (depth > MAX_DEPTH)
    return { path: '', problem: `is nested more than ${MAX_DEPTH} levels deep. Send flatter properties.` };
  return isJsonObject(json) ? findFlawInObject(json, depth) : findFlawInList(json as unknown[], depth);
}

function findFlawInObject(object: Readonly<Record<string, unknown>>, depth: number): Flaw | undefined {
  for (const name of Object.keys(object)) {
    const flaw = findFlaw(object[name], depth + 1);
    if (flaw !== undefined) return { ...flaw, path: `[${quoteForMessage(name)}]${flaw.path}` };
  }
  return undefined;
}

function findFlawInList(list: readonly unknown[], depth: number): Flaw | undefined {
  for (let index = 0; index < list.length; index++) {
    const flaw = findFlaw(list[index], depth + 1);
    if (flaw !== undefined) return { ...flaw, path: `[${index}]${flaw.path}` };
  }
  return undefined;
}
