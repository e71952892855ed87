import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getOwnValue } from '../../lang/util/json.ts';
import { yieldToEventLoop } from '../datasets/collect-yielding.ts';
import { apiErrors } from './endpoints/api-errors.ts';
import type { EndpointAnswer } from './endpoints/endpoint.ts';
import { isGiven } from './endpoints/parameter.ts';
import type { FailureResponse } from './failure-response.ts';
import { mergeParameters } from './parameters.ts';
import { isSigned } from './signed-access.ts';

/** What all paths of the Data Export interface begin with. */
export const EXPORT_PREFIX = '/api/2.0';

/** A function as JavaScript names it, by itself or as a member of objects. */
const CALLBACK = /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)*$/u;

const CALLBACK_LENGTH = 128;

/** How much of a call is made at once: it may consist of nothing but what has to be escaped. */
const PIECE_LENGTH = 2 ** 16;

/** Whether a request is one of the Data Export interface. */
export function isExport({ raw }: FastifyRequest): boolean {
  const { url = '' } = raw;
  return url.startsWith(EXPORT_PREFIX) && /^(?:[/?]|$)/.test(url.slice(EXPORT_PREFIX.length));
}

/** @throws {HttpError} for a `callback` that is not the name of a function, or in a request that is not signed */
export function assertCallback(request: FastifyRequest): void {
  const parameters = mergeParameters(request);
  if (!isGiven(parameters, 'callback')) return;
  if (!isCallback(parameters.callback))
    throw apiErrors.invalid(
      'callback',
      `It takes the name of a JavaScript function, such as \`page.show\`, of at most ${CALLBACK_LENGTH} characters.`,
    );
  // A script of any site can make a browser send the secret that it remembers, but not a signature.
  if (!isSigned(parameters)) throw apiErrors.invalid('callback', 'Only signed requests take it.');
}

/** Sends an answer: as a call of the callback, if a signed request has one. A long one is sent as fast as it is read. */
export function sendExport(request: FastifyRequest, reply: FastifyReply, { type, text }: EndpointAnswer): FastifyReply {
  const callback = callbackOf(request);
  if (callback === undefined) {
    return reply.type(`${type}; charset=utf-8`).send(typeof text === 'string' ? text : text.stream);
  }
  reply.header('Cross-Origin-Resource-Policy', 'cross-origin').type('application/javascript; charset=utf-8');
  const pieces = typeof text === 'string' ? yieldToEventLoop(piecesOf(text)) : text.stream.setEncoding('utf8');
  return reply.send(Readable.from(callPieces(callback, pieces, type === 'application/json')));
}

/** A text in pieces that do not end within a character. */
function* piecesOf(text: string): Generator<string> {
  let begin = 0;
  while (begin < text.length) {
    const last = begin + PIECE_LENGTH - 1;
    const end = (text.codePointAt(last) ?? 0) > 0xffff ? last + 2 : last + 1;
    yield text.slice(begin, end);
    begin = end;
  }
}

/** A call of a function with an argument in pieces: JSON, or what is to be a string. */
async function* callPieces(callback: string, pieces: AsyncIterable<string>, isJson: boolean): AsyncGenerator<string> {
  yield `/**/${callback}(${isJson ? '' : '"'}`;
  for await (const piece of pieces) yield withoutBreaks(isJson ? piece : JSON.stringify(piece).slice(1, -1));
  yield isJson ? ');' : '");';
}

/** Sends what is wrong with a request, and what it was. Browsers run no script whose status is an error: a callback gets status 200. */
export function sendExportFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, message, headers }: FailureResponse,
): FastifyReply {
  const text = JSON.stringify({ error: message, request: askedOf(request) });
  if (callbackOf(request) === undefined) reply.code(status).headers(headers);
  else reply.code(200);
  return sendExport(request, reply, { type: 'application/json', text });
}

/** The function that the answer is handed to; undefined if there is none. */
function callbackOf(request: FastifyRequest): string | undefined {
  const parameters = mergeParameters(request);
  const callback = getOwnValue(parameters, 'callback');
  return isCallback(callback) && isSigned(parameters) ? callback : undefined;
}

function isCallback(value: unknown): value is string {
  return typeof value === 'string' && value.length <= CALLBACK_LENGTH && CALLBACK.test(value);
}

/** The path and query of a request. What came in a body stands in the query. */
function askedOf(request: FastifyRequest): string {
  const { url = '' } = request.raw;
  if (request.body === undefined || request.body === null) return url;
  const parameters = Object.entries(mergeParameters(request)).map(([name, value]) => {
    return [name, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return parameters.length === 0 ? url : `${url.replace(/\?.*/s, '')}?${new URLSearchParams(parameters)}`;
}

/** JSON without the two line breaks that stand in texts of JSON, but not in those of older JavaScript. */
function withoutBreaks(json: string): string {
  return json.replace(/[\u2028\u2029]/g, (found) => (found === '\u2028' ? '\\u2028' : '\\u2029'));
}
