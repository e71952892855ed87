import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../src/lang/util/json.ts';
import { assertAnswerSize } from '../../../src/service/analytics/answer-limits.ts';
import { EXPORT_PREFIX } from '../../../src/service/server/export-answers.ts';
import { LIMITS } from '../../../src/service/server/limits.ts';
import { withCloseNumbersOf } from '../../close-numbers.ts';
import { canOpen } from './credentials.ts';
import type { Drawn } from './draw.ts';
import type { Outcome, Written } from './exchange.ts';
import type { Expected } from './oracle.ts';

/** What is wrong with what came back for a request. */
export interface Problem {
  readonly kind: 'connection' | 'time' | 'status' | 'shape' | 'access' | 'size' | 'answer';
  readonly text: string;
  readonly expected?: Expected;
}

/** Refusals for reasons that the plain reference does not know. */
const ASKS_FOR_LESS =
  /the most\b|over \d+ levels|too (?:many|much|large|long|deep)|costs|before the year 0|as many|at most/i;

/** Characters of an answer that cannot have too many numbers. */
const SHORT = 2 ** 22;

/** What is left of the limit of headers for the path and the query. */
const LONG_URL = LIMITS.headerBytes - 1_000;

/** What is wrong with an outcome by itself, whatever the answer should be. */
export function problemOf(drawn: Drawn, written: Written, outcome: Outcome, mostMs: number): Problem | undefined {
  const { operation, credentials, bytes } = drawn;
  const { answer, milliseconds } = outcome;
  if (milliseconds > mostMs) return { kind: 'time', text: `It took ${Math.round(milliseconds)} ms` };
  if (answer === undefined) {
    const isFree = mayBreakOff(drawn, written);
    return isFree ? undefined : { kind: 'connection', text: `The connection was closed: ${outcome.closed}` };
  }
  const { status, headers, body } = answer;
  if (status >= 500 && status !== 503) return { kind: 'status', text: `The status is ${status}` };
  if (bytes !== undefined) return undefined;
  const shown = shownOf(answer);
  const isRefused =
    status >= 400 ||
    (isJsonObject(shown) && Object.hasOwn(shown, 'error') && shown.error !== null && shown.error !== false);
  if (!isRefused && !canOpen(credentials, operation, datasetNamedBy(drawn, written)))
    return { kind: 'access', text: `A request with ${credentials} is let in` };
  if (isRefused && operation.isExport && written.url.length < LONG_URL) {
    const flaw = flawOf(shown, headers['content-type']);
    if (flaw !== undefined) return { kind: 'shape', text: flaw };
  }
  if (isRefused && !operation.isExport && body !== '0' && !(isJsonObject(shown) && typeof shown.error === 'string'))
    return { kind: 'shape', text: 'The refusal does not say what is wrong' };
  if (status === 401 && headers['www-authenticate'] === undefined)
    return { kind: 'shape', text: 'A 401 without a challenge' };
  return problemOfSize(body, headers['content-type']);
}

/** Whether the answer to a request can be worked out, if it was sent by someone who is known. */
export function isComparable({ operation, bytes }: Drawn, { parameters, url, body }: Written): boolean {
  if (!operation.isExport || bytes !== undefined || parameters === undefined) return false;
  return url.length <= LONG_URL && (body?.length ?? 0) <= LIMITS.queryBytes / 8 && !('callback' in parameters);
}

/** Whether an answer is the expected one; undefined where the server has a reason to give none. */
export function isExpected(
  { status, headers, body }: NonNullable<Outcome['answer']>,
  expected: Expected,
): boolean | undefined {
  if (status === 503) return undefined;
  const shown = parsed(body);
  const error = status >= 400 && isJsonObject(shown) ? String(shown.error) : undefined;
  if ('error' in expected) {
    if (error !== undefined && status === expected.status && wordsOf(error) === wordsOf(expected.error)) return true;
    return error !== undefined && ASKS_FOR_LESS.test(error) ? undefined : false;
  }
  if (error !== undefined) return ASKS_FOR_LESS.test(error) ? undefined : false;
  if (!String(headers['content-type']).startsWith(expected.type)) return false;
  if (body === expected.text) return true;
  const wanted: unknown = parsed(expected.text);
  if (!isJsonObject(wanted) || !isJsonObject(shown)) return false;
  // Sums may differ in what the order of additions rounds away.
  return isDeepStrictEqual(withCloseNumbersOf(wanted, shown), wanted);
}

/** The dataset that a request names, if any. */
function datasetNamedBy({ operation, parameters }: Drawn, written: Written): string | undefined {
  const isInPath = operation.path.includes('{dataset_id}');
  const [, inPath] = parameters.find(([name]) => name === 'dataset_id') ?? [];
  const named = isInPath ? inPath : written.parameters?.dataset_id;
  return typeof named === 'string' && named !== '' ? named : undefined;
}

/** A client that goes, or says no HTTP, gets no answer; nor may one that still sends when it is refused. */
function mayBreakOff({ hangsUpAfter, bytes, body }: Drawn, written: Written): boolean {
  if (hangsUpAfter !== undefined || bytes !== undefined || body?.isCut === true) return true;
  return (written.body?.length ?? 0) > LIMITS.queryBytes / 2 || written.url.length > LONG_URL;
}

/** The JSON of an answer, out of the call of a callback if it is in one. */
function shownOf({ headers, body }: NonNullable<Outcome['answer']>): unknown {
  const isCall = String(headers['content-type']).startsWith('application/javascript');
  return parsed(isCall ? body.slice(body.indexOf('(') + 1, -2) : body);
}

/** How a refusal differs from the published shape. */
function flawOf(shown: unknown, type: unknown): string | undefined {
  if (!/^application\/(?:json|javascript); charset=utf-8$/.test(String(type))) return `A refusal is of type ${type}`;
  if (!isJsonObject(shown)) return 'A refusal is no JSON object';
  const { error, request, ...rest } = shown;
  if (Object.keys(rest).length > 0) return `A refusal has ${Object.keys(rest).join()} too`;
  if (typeof error !== 'string' || !/\w+ \w+/.test(error)) return 'A refusal does not say what is wrong';
  return typeof request === 'string' && request.startsWith(EXPORT_PREFIX) ? undefined : 'A refusal has no request';
}

function problemOfSize(body: string, type: unknown): Problem | undefined {
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
    return { kind: 'size', text: `The answer has ${numbers} numbers` };
  }
}

/** The published part of a refusal, without the reason. */
function wordsOf(error: string): string {
  return error.replace(/(?:\. |, ).*/s, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
