import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getOwnValue } from '../../../base/json.ts';
import type { ByteStream } from '../../../queries/answer-stream.ts';
import { apiErrors } from '../../../queries/endpoints/api-errors.ts';
import type { Endpoint, EndpointAnswer } from '../../../queries/endpoints/endpoint.ts';
import { isGiven } from '../../../queries/endpoints/parameter.ts';
import { yieldToEventLoop } from '../../locks/yield-to-event-loop.ts';
import { mergeParameters } from '../requests/parameters.ts';
import type { FailureResponse } from './failure-response.ts';

/** The path prefix of the query interface. */
export const QUERY_PREFIX = '/api/2.0';

/** Another prefix, under which newer clients know the interface. */
const ALIAS_PREFIX = '/api/query';

/** Returns the URL of a request with the prefix of the interface, if it has the other one. */
export function toQueryUrl(url: string): string {
  return hasPrefix(url, ALIAS_PREFIX) ? QUERY_PREFIX + url.slice(ALIAS_PREFIX.length) : url;
}

function hasPrefix(url: string, prefix: string): boolean {
  return url.startsWith(prefix) && /^(?:[/?]|$)/.test(url.slice(prefix.length));
}

/** Matches a dotted JavaScript name, such as `show` or `page.show`. */
const CALLBACK = /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)*$/u;

const MAX_CALLBACK_LENGTH = 128;

/** Length of the pieces that are escaped at once. Short, as every character may need escaping. */
const PIECE_LENGTH = 2 ** 16;

/** Reports whether a request is for the query interface. */
export function isQueryRequest({ raw }: FastifyRequest): boolean {
  return hasPrefix(raw.url ?? '', QUERY_PREFIX);
}

/** @throws {HttpError} if `callback` is not a function name, or the response has lines */
export function assertCallback(request: FastifyRequest, { hasLines }: Endpoint): void {
  const parameters = mergeParameters(request);
  if (!isGiven(parameters, 'callback')) return;
  if (hasLines) throw apiErrors.invalid('callback', 'A response of many lines cannot be an argument of a function.');
  if (!isCallback(parameters.callback))
    throw apiErrors.invalid(
      'callback',
      `Expected the name of a JavaScript function, such as \`page.show\`, of at most ${MAX_CALLBACK_LENGTH} characters.`,
    );
}

/** Sends a response, as JSONP if the request has a callback. Streams long ones at the speed of the client. */
export function sendQueryAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, text }: EndpointAnswer,
): FastifyReply {
  const callback = getCallback(request);
  if (callback === undefined) {
    return reply.type(`${type}; charset=utf-8`).send(typeof text === 'string' ? text : text.stream);
  }
  reply.header('Cross-Origin-Resource-Policy', 'cross-origin').type('application/javascript; charset=utf-8');
  const pieces = typeof text === 'string' ? yieldToEventLoop(splitText(text)) : decode(text.stream);
  return reply.send(Readable.from(writeCall(callback, pieces, type === 'application/json')));
}

/** Splits a string into pieces without breaking surrogate pairs. */
function* splitText(text: string): Generator<string> {
  let begin = 0;
  while (begin < text.length) {
    const last = begin + PIECE_LENGTH - 1;
    const end = (text.codePointAt(last) ?? 0) > 0xffff ? last + 2 : last + 1;
    yield text.slice(begin, end);
    begin = end;
  }
}

async function* decode(bytes: ByteStream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of bytes) yield typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Yields a JavaScript call of a function with one argument: JSON, or any text as a string literal. */
async function* writeCall(callback: string, pieces: AsyncIterable<string>, isJson: boolean): AsyncGenerator<string> {
  yield `/**/${callback}(${isJson ? '' : '"'}`;
  for await (const piece of pieces) yield escapeLineSeparators(isJson ? piece : JSON.stringify(piece).slice(1, -1));
  yield isJson ? ');' : '");';
}

/** Sends an error and its request. JSONP always has status 200, as browsers run no script with an error status. */
export function sendQueryFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, message, headers }: FailureResponse,
): FastifyReply {
  const text = JSON.stringify({ error: message, request: describeRequest(request) });
  if (getCallback(request) === undefined) reply.code(status).headers(headers);
  else reply.code(200);
  return sendQueryAnswer(request, reply, { type: 'application/json', text });
}

/** Returns the JSONP callback of a request, if it has one. */
export function getCallback(request: FastifyRequest): string | undefined {
  const parameters = mergeParameters(request);
  const callback = getOwnValue(parameters, 'callback');
  return isCallback(callback) ? callback : undefined;
}

function isCallback(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_CALLBACK_LENGTH && CALLBACK.test(value);
}

/** Returns the path and query of a request. Parameters in the body are added to the query. */
function describeRequest(request: FastifyRequest): string {
  const { url = '' } = request.raw;
  if (request.body === undefined || request.body === null) return url;
  const parameters = Object.entries(mergeParameters(request)).map(([name, value]) => {
    return [name, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return parameters.length === 0 ? url : `${url.replace(/\?.*/s, '')}?${new URLSearchParams(parameters)}`;
}

/** Escapes U+2028 and U+2029, which strings may contain in JSON but not in JavaScript before ES2019. */
function escapeLineSeparators(json: string): string {
  return json.replace(/[\u2028\u2029]/g, (separator) => (separator === '\u2028' ? '\\u2028' : '\\u2029'));
}
