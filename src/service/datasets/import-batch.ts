import { getOwnValue, type JsonObject } from '../../lang/util/json.ts';
import { escapeUnprintable } from '../../lang/util/strings.ts';
import type { RecordKind } from '../store/store.ts';
import { decodeBase64 } from './decode-base64.ts';
import { decodeText } from './decode-text.ts';
import { ServiceError } from './errors.ts';
import { stringifyLine, toEventLine, toPersonLine } from './record-lines.ts';
import { splitBatch } from './split-batch.ts';

/** What a kind of records becomes, and where its token is. */
const KINDS = {
  events: {
    lineOf: toEventLine,
    tokenOf: ({ properties }: JsonObject) => getOwnValue(properties as JsonObject, 'token'),
    tokenPlace: 'as "token", among its properties',
  },
  people: {
    lineOf: toPersonLine,
    tokenOf: (record: JsonObject) => getOwnValue(record, '$token'),
    tokenPlace: 'as "$token"',
  },
} as const satisfies Record<RecordKind, unknown>;

/**
 * The lines of the log for the `data` of an import: a record, or a list of up to 1000, as base64 of JSON. All of them or none are to be
 * stored; they are made one by one, since a hostile batch takes seconds.
 *
 * @throws {ServiceError} that names the first record that cannot be stored by its index, says why, and what to do.
 */
export function* importBatch(kind: RecordKind, data: string, token: string): Generator<string> {
  for (const [index, json] of splitBatch(decodeText(decodeBase64(data))).entries()) {
    const record = parse(json, index);
    const line = KINDS[kind].lineOf(record);
    const problem = typeof line === 'string' ? line : tokenProblem(kind, record as JsonObject, token);
    if (problem !== undefined) refuse(index, problem);
    yield stringifyLine(line as Exclude<typeof line, string>);
  }
}

function refuse(index: number, problem: string): never {
  throw new ServiceError(400, `record ${index}: ${problem}`);
}

function parse(json: string, index: number): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    return refuse(index, `not JSON: ${escapeUnprintable((error as SyntaxError).message)}.`);
  }
}

function tokenProblem(kind: RecordKind, record: JsonObject, token: string): string | undefined {
  const { tokenOf, tokenPlace } = KINDS[kind];
  const sent = tokenOf(record);
  if (sent === token) return undefined;
  return sent === undefined
    ? `no token. Send that of the project ${tokenPlace}.`
    : `its token is not that of the project. Send the right one ${tokenPlace}.`;
}
