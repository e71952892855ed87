import { isJsonObject } from '../../lang/util/json.ts';
import { truncate } from '../../lang/util/strings.ts';
import { quoteForMessage } from './quote-for-message.ts';

/** Deeper JSON is nobody's data, and whatever walks through it later may run out of stack. */
const MAX_DEPTH = 128;

/** As much of the way to a value as a message shows. */
const MAX_PATH_WIDTH = 80;

interface Flaw {
  /** From the whole to the value: `["items"][3]`. */
  readonly way: string;
  readonly problem: string;
}

/**
 * Why parsed JSON cannot be stored, if it cannot: it is nested too deep, or has a number that no double can hold, of which
 * `JSON.stringify` would make null. `name` is what messages call it.
 */
export function findJsonFlaw(name: string, json: unknown): string | undefined {
  const flaw = flawIn(json, 1);
  return flaw && `${truncate(name + flaw.way, MAX_PATH_WIDTH)} ${flaw.problem}`;
}

function flawIn(json: unknown, depth: number): Flaw | undefined {
  if (typeof json === 'number') {
    return Number.isFinite(json) ? undefined : { way: '', problem: 'is a number beyond 1.8e308. Send it as a text.' };
  }
  if (typeof json !== 'object' || json === null) return undefined;
  if (depth > MAX_DEPTH)
    return { way: '', problem: `is nested more than ${MAX_DEPTH} levels deep. Send flatter properties.` };
  return isJsonObject(json) ? flawInObject(json, depth) : flawInList(json as unknown[], depth);
}

function flawInObject(object: Readonly<Record<string, unknown>>, depth: number): Flaw | undefined {
  for (const name of Object.keys(object)) {
    const flaw = flawIn(object[name], depth + 1);
    if (flaw !== undefined) return { ...flaw, way: `[${quoteForMessage(name)}]${flaw.way}` };
  }
  return undefined;
}

function flawInList(list: readonly unknown[], depth: number): Flaw | undefined {
  for (let index = 0; index < list.length; index++) {
    const flaw = flawIn(list[index], depth + 1);
    if (flaw !== undefined) return { ...flaw, way: `[${index}]${flaw.way}` };
  }
  return undefined;
}
