import { decodeUtf8 } from '../../lang/util/bytes.ts';
import { isJsonObject, type JsonObject } from '../../lang/util/json.ts';
import { HttpError } from './http-error.ts';

/** The bytes without which no JSON has more than a few values. */
const STRUCTURE = Buffer.from('[{,');

/** Far more than the parameters of a request need: each value in a body takes many times its bytes once it is parsed. */
const MAX_VALUES = 10_000;

/** No parameter has more than two. What reads or writes JSON calls itself for each, and the stack has an end. */
const MAX_DEPTH = 20;

/**
 * The members of a JSON body; none where it is empty.
 *
 * @throws {HttpError} for what is no JSON object.
 */
export function parseJson(body: Buffer): JsonObject {
  if (body.length === 0) return {};
  if (hasManyValues(body)) throw new HttpError(400, `The JSON in the body has over ${MAX_VALUES} values`);
  const text = decodeUtf8(body);
  if (text === undefined) throw new HttpError(400, 'The JSON in the body is not in UTF-8');
  const json = parsed(text);
  if (!isJsonObject(json)) throw new HttpError(400, 'The body must be a JSON object with the parameters');
  if (isDeep(json, MAX_DEPTH)) throw new HttpError(400, `The JSON in the body has over ${MAX_DEPTH} levels`);
  return json;
}

/** Whether a value has others within it on more levels than these. */
function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeep(member, levels - 1));
}

function hasManyValues(body: Buffer): boolean {
  let values = 0;
  for (const byte of STRUCTURE) {
    for (let at = body.indexOf(byte); at !== -1; at = body.indexOf(byte, at + 1)) {
      if (++values > MAX_VALUES) return true;
    }
  }
  return false;
}

/** The message of V8 quotes the text, which may hold secrets. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, 'The body is not JSON, though its content type says so');
  }
}
