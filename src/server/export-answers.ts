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

/** Sends an answer: as a call of the callback, where one is asked for. */
export function sendExport(request: FastifyRequest, reply: FastifyReply, { type, text }: Answer): FastifyReply {
  const callback = ownValue(mergedParameters(request), 'callback');
  if (!isCallback(callback)) return reply.type(`${type}; charset=utf-8`).send(text);
  const json = type === 'application/json' ? text : JSON.stringify(text);
  return reply.type('application/javascript; charset=utf-8').send(`${callback}(${withoutBreaks(json)});`);
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
