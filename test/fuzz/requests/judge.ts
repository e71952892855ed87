import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../src/base/json.ts';
import { assertAnswerSize } from '../../../src/queries/answer-limits.ts';
import { QUERY_PREFIX } from '../../../src/service/server/responses/query-answers.ts';
import { LIMITS } from '../../../src/service/server/settings/limits.ts';
import { withCloseNumbersOf } from '../../close-numbers.ts';
import { normalizeLines } from '../../normalize-lines.ts';
import { canOpen } from './credentials.ts';
import type { Drawn } from './draw.ts';
import type { Outcome, Written } from './exchange.ts';
import type { Expected } from './oracle.ts';

/** A problem with the outcome of a request. */
export interface Problem {
  readonly kind: 'connection' | 'time' | 'status' | 'shape' | 'access' | 'size' | 'answer';
  readonly text: string;
  readonly expected?: Expected;
}

/** Matches errors about limits, which the reference does not have. */
const LIMIT_MESSAGE =
  /the most\b|the maximum|more than|over \d+ |too (?:many|much|large|long|deep)|costs|before the year 0|as many|at most/i;

/** A response with fewer characters cannot have too many numbers. */
const SHORT = 2 ** 22;

/** The length of a URL that may exceed the limit for headers. */
const LONG_URL = LIMITS.headerBytes - 1_000;

/** Finds a problem with an outcome that does not depend on the expected response. */
export function findProblem(drawn: Drawn, written: Written, outcome: Outcome, maxMs: number): Problem | undefined {
  const { operation, credentials, bytes } = drawn;
  const { answer, milliseconds } = outcome;
  if (milliseconds > maxMs) return { kind: 'time', text: `It took ${Math.round(milliseconds)} ms` };
  if (answer === undefined) {
    const isFree = mayBreakOff(drawn, written);
    return isFree ? undefined : { kind: 'connection', text: `The connection was closed: ${outcome.closed}` };
  }
  const { status, headers, body } = answer;
  if (status >= 500 && status !== 503) return { kind: 'status', text: `The status is ${status}` };
  if (bytes !== undefined) return undefined;
  const shown = readShown(answer);
  const isRefused =
    status >= 400 ||
    (isJsonObject(shown) && Object.hasOwn(shown, 'error') && shown.error !== null && shown.error !== false);
  if (!isRefused && !canOpen(credentials, operation, findDatasetId(drawn, written)))
    return { kind: 'access', text: `A request with ${credentials} has access` };
  if (isRefused && operation.isQueryRequest && written.url.length < LONG_URL) {
    const flaw = findFlaw(shown, headers['content-type']);
    if (flaw !== undefined) return { kind: 'shape', text: flaw };
  }
  if (
    isRefused &&
    !operation.isQueryRequest &&
    body !== '0' &&
    !(isJsonObject(shown) && typeof shown.error === 'string')
  )
    return { kind: 'shape', text: 'The error has no message' };
  if (status === 401 && headers['www-authenticate'] === undefined)
    return { kind: 'shape', text: 'A 401 without a challenge' };
  return findSizeProblem(body, headers['content-type']);
}

/** Returns whether the reference can compute the response to a request with valid credentials. */
export function isComparable({ operation, bytes }: Drawn, { parameters, url, body }: Written): boolean {
  if (!operation.isQueryRequest || bytes !== undefined || parameters === undefined) return false;
  if (operation.path.endsWith('/overview/datasets')) return false;
  return url.length <= LONG_URL && (body?.length ?? 0) <= LIMITS.queryBytes / 8 && !('callback' in parameters);
}

/** Returns whether a response is as expected; undefined if the server refused the request because of a limit. */
export function isExpected(
  { status, headers, body }: NonNullable<Outcome['answer']>,
  expected: Expected,
): boolean | undefined {
  if (status === 503) return undefined;
  const shown = tryParse(body);
  const error = status >= 400 && isJsonObject(shown) ? String(shown.error) : undefined;
  if ('error' in expected) {
    if (
      error !== undefined &&
      status === expected.status &&
      getPublishedPart(error) === getPublishedPart(expected.error)
    )
      return true;
    return error !== undefined && LIMIT_MESSAGE.test(error) ? undefined : false;
  }
  if (error !== undefined) return LIMIT_MESSAGE.test(error) ? undefined : false;
  if (!String(headers['content-type']).startsWith(expected.type)) return false;
  if (body === expected.text) return true;
  if (expected.type === 'application/x-ndjson') return normalizeLines(body) === normalizeLines(expected.text);
  const wanted: unknown = tryParse(expected.text);
  if (!isJsonObject(wanted) || !isJsonObject(shown)) return false;
  // Sums may differ by rounding, which depends on the order of additions.
  return isDeepStrictEqual(withCloseNumbersOf(wanted, shown), wanted);
}

/** Returns the ID of the dataset that a request names, if any. */
function findDatasetId({ operation, parameters }: Drawn, written: Written): string | undefined {
  const isInPath = operation.path.includes('{dataset_id}');
  const [, inPath] = parameters.find(([name]) => name === 'dataset_id') ?? [];
  const named = isInPath ? inPath : written.parameters?.dataset_id;
  return typeof named === 'string' && named !== '' ? named : undefined;
}

/**
 * Returns whether a response may be missing: after an abort, invalid HTTP, or an error while the client still sends.
 */
function mayBreakOff({ abortsAfter, bytes, body }: Drawn, written: Written): boolean {
  if (abortsAfter !== undefined || bytes !== undefined || body?.isCut === true) return true;
  return (written.body?.length ?? 0) > LIMITS.queryBytes / 2 || written.url.length > LONG_URL;
}

/** Parses the JSON of a response, which may be wrapped in a JSONP callback. */
function readShown({ headers, body }: NonNullable<Outcome['answer']>): unknown {
  const isCall = String(headers['content-type']).startsWith('application/javascript');
  return tryParse(isCall ? body.slice(body.indexOf('(') + 1, -2) : body);
}

/** Describes how an error response differs from the published shape. */
function findFlaw(shown: unknown, type: unknown): string | undefined {
  if (!/^application\/(?:json|javascript); charset=utf-8$/.test(String(type))) return `An error has the type ${type}`;
  if (!isJsonObject(shown)) return 'An error is not a JSON object';
  const { error, request, ...rest } = shown;
  if (Object.keys(rest).length > 0) return `An error has unknown fields: ${Object.keys(rest).join()}`;
  if (typeof error !== 'string' || !/\w+ \w+/.test(error)) return 'An error has no message';
  return typeof request === 'string' && request.startsWith(QUERY_PREFIX) ? undefined : 'An error has no request';
}

function findSizeProblem(body: string, type: unknown): Problem | undefined {
  if (body.length < SHORT) return undefined;
  const isCsv = String(type).startsWith('text/csv');
  const before = isCsv ? ',' : ',:[';
  const text = isCsv ? body : body.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  let numbers = 0;
  for (let index = 1; index < text.length; index++) {
    if (/[\d-]/.test(text.charAt(index)) && before.includes(text.charAt(index - 1))) numbers++;
  }
  try {
    assertAnswerSize(numbers);
    return undefined;
  } catch {
    return { kind: 'size', text: `The response has ${numbers} numbers` };
  }
}

/** Returns the published part of an error message, without the reason. */
function getPublishedPart(error: string): string {
  return error.replace(/(?:\. |, ).*/s, '');
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
