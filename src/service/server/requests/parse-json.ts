import { decodeUtf8 } from '../../../base/bytes.ts';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import { parseJson } from '../../../base/parse-json.ts';
import { HttpError } from '../../../queries/http-error.ts';

/** JSON contains one of these bytes per value, except a few. */
const STRUCTURE = Buffer.from('[{,');

/** Far more than any request needs. A parsed value takes many times its bytes of memory. */
const MAX_VALUES = 10_000;

/** No parameter needs more than two. JSON is read and written recursively, so the stack limits the depth. */
const MAX_DEPTH = 20;

/**
 * Parses a body as a JSON object. An empty body is an empty object.
 *
 * @throws {HttpError} if the body is not a JSON object, is too deep, or has too many values
 */
export function parseJsonBody(body: Buffer): JsonObject {
  if (body.length === 0) return {};
  if (hasManyValues(body)) throw new HttpError(400, `The JSON body has more than ${MAX_VALUES} values`);
  const source = decodeUtf8(body);
  if (source === undefined) throw new HttpError(400, 'The JSON body is not UTF-8');
  const json = parse(source);
  if (!isJsonObject(json)) throw new HttpError(400, 'The body must be a JSON object with the parameters');
  if (isDeep(json, MAX_DEPTH)) throw new HttpError(400, `The JSON body is nested more than ${MAX_DEPTH} levels deep`);
  return json;
}

/** Reports whether a value is nested deeper than this many levels. */
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

/** Hides the message of V8, which quotes the body and may contain secrets. */
function parse(source: string): unknown {
  try {
    return parseJson(source);
  } catch {
    throw new HttpError(400, 'The body is not valid JSON');
  }
}
