import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownValue } from '../util/json-object.ts';
import type { Answer } from './endpoints/endpoint.ts';
import { published } from './endpoints/published.ts';
import { mergedParameters } from './parameters.ts';

/** What all paths of the Data Export interface begin with. */
export const EXPORT_PREFIX = '/api/2.0';

/** A function as JavaScript names it, by itself or as a member of objects. */
const CALLBACK = /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)*$/u;

/** Whether a request is one of the Data Export interface. */
export function isExport({ raw }: FastifyRequest): boolean {
  const { url = '' } = raw;
  return url.startsWith(EXPORT_PREFIX) && /^(?:[/?]|$)/.test(url.slice(EXPORT_PREFIX.length));
}

/** @throws {Refusal} where the answer is to be handed to what cannot be a function. */
export function expectCallback(request: FastifyRequest): void {
  const callback = ownValue(mergedParameters(request), 'callback');
  if (callback !== undefined && !isCallback(callback)) {
    throw published.invalid('callback', 'It takes the name of a JavaScript function, such as `page.show`.');
  }
}

/** Sends an answer: as a call of the callback, where one is asked for. A long one is sent as fast as it is read. */
export function sendExport(request: FastifyRequest, reply: FastifyReply, { type, text }: Answer): FastifyReply {
  const callback = ownValue(mergedParameters(request), 'callback');
  const isCalled = isCallback(callback);
  reply.type(`${isCalled ? 'application/javascript' : type}; charset=utf-8`);
  if (!isCalled) return reply.send(typeof text === 'string' ? text : text.stream);
  const isJson = type === 'application/json';
  if (typeof text === 'string')
    return reply.send(`${callback}(${withoutBreaks(isJson ? text : JSON.stringify(text))});`);
  return reply.send(Readable.from(callPieces(callback, text.stream.setEncoding('utf8'), isJson)));
}

/** A call of a function with an argument in pieces: JSON, or what is to be a string. */
async function* callPieces(callback: string, pieces: AsyncIterable<string>, isJson: boolean): AsyncGenerator<string> {
  yield `${callback}(${isJson ? '' : '"'}`;
  for await (const piece of pieces) yield withoutBreaks(isJson ? piece : JSON.stringify(piece).slice(1, -1));
  yield isJson ? ');' : '");';
}

/** Sends what is wrong with a request, and what it was. */
export function sendExportFailure(request: FastifyRequest, reply: FastifyReply, error: string): FastifyReply {
  const text = JSON.stringify({ error, request: askedOf(request) });
  return sendExport(request, reply, { type: 'application/json', text });
}

function isCallback(value: unknown): value is string {
  return typeof value === 'string' && CALLBACK.test(value);
}

/** The path and query of a request. What came in a body stands in the query. */
function askedOf(request: FastifyRequest): string {
  const { url = '' } = request.raw;
  if (request.body === undefined || request.body === null) return url;
  const parameters = Object.entries(mergedParameters(request)).map(([name, value]) => {
    return [name, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return parameters.length === 0 ? url : `${url.replace(/\?.*/s, '')}?${new URLSearchParams(parameters)}`;
}

/** JSON without the two line breaks that stand in texts of JSON, but not in those of older JavaScript. */
function withoutBreaks(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
