import { getOwnValue, type JsonObject } from '../../../base/json.ts';
import { parseJson } from '../../../base/parse-json.ts';
import { escapeUnprintable } from '../../../base/strings.ts';
import { ServiceError } from '../../../queries/service-error.ts';
import type { RecordKind } from '../../store/store.ts';
import { decodeBase64 } from './decode-base64.ts';
import { decodeText } from './decode-text.ts';
import { stringifyLine, toEventLine, toPersonLine } from './record-lines.ts';
import { splitBatch } from './split-batch.ts';

/** How each kind of record becomes a log line, and where its token is. */
const KINDS = {
  events: {
    toLine: toEventLine,
    getToken: ({ properties }: JsonObject) => getOwnValue(properties as JsonObject, 'token'),
    tokenPlace: 'as "token", among its properties',
  },
  people: {
    toLine: toPersonLine,
    getToken: (record: JsonObject) => getOwnValue(record, '$token'),
    tokenPlace: 'as "$token"',
  },
} as const satisfies Record<RecordKind, unknown>;

/**
 * Yields the log lines for the `data` of an import: base64 of a JSON record or a list of up to 1,000.
 *
 * Store all lines or none. They are generated one by one because a hostile batch takes seconds.
 *
 * @throws {ServiceError} with the index of the first invalid record, the problem and the fix
 */
export function* importBatch(kind: RecordKind, data: string, token: string): Generator<string> {
  for (const [index, json] of splitBatch(decodeText(decodeBase64(data))).entries()) {
    const record = parse(json, index);
    const line = KINDS[kind].toLine(record);
    const problem = typeof line === 'string' ? line : checkToken(kind, record as JsonObject, token);
    if (problem !== undefined) refuse(index, problem);
    yield stringifyLine(line as Exclude<typeof line, string>);
  }
}

function refuse(index: number, problem: string): never {
  throw new ServiceError(400, `record ${index}: ${problem}`);
}

function parse(json: string, index: number): unknown {
  try {
    return parseJson(json);
  } catch (error) {
    return refuse(index, `not JSON: ${escapeUnprintable((error as SyntaxError).message)}.`);
  }
}

function checkToken(kind: RecordKind, record: JsonObject, token: string): string | undefined {
  const { getToken, tokenPlace } = KINDS[kind];
  const sent = getToken(record);
  if (sent === token) return undefined;
  return sent === undefined
    ? `no token. Send that of the project ${tokenPlace}.`
    : `its token is not that of the project. Send the right one ${tokenPlace}.`;
}
