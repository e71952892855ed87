import { compile } from '../../api.ts';
import { showValue } from '../../language/show-value.ts';
import type { Properties } from '../../language/value.ts';
import { UsageError } from '../exit.ts';
import { Output } from '../output.ts';
import { readSource } from '../read-source.ts';
import { warn } from '../say.ts';

export interface EvalOptions {
  readonly properties?: string;
  readonly user?: string;
  /** Unix seconds. */
  readonly now: number;
}

/** Prints the value of an expression, as JSON or `undefined`. */
export async function evaluateOnce(source: string, { properties, user, now }: EvalOptions): Promise<void> {
  const value = compile(await readSource(source), { now });
  warn(value);
  await Output.print([showValue(value(readObject('--properties', properties), readObject('--user', user)))]);
}

function readObject(option: string, text = '{}'): Properties {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${option} is not JSON: ${(error as Error).message}`);
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Properties;
  throw new UsageError(`${option} takes a JSON object, like {"plan": "pro"}`);
}
