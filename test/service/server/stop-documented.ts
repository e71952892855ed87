import fastify from 'fastify';
import { expect } from 'vitest';
import type { Answer, RunningServer } from './running-server.ts';

type Validate = (value: unknown) => boolean;

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, { schema: object }>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** What a server answers to whoever asks for what there is not. */
function refusal(path: string, contentType: string): object {
  if (contentType === 'application/javascript') return { type: 'string', pattern: '"request":' };
  const text = { type: 'string', minLength: 1 };
  const properties = { error: text, ...(path.startsWith('/api/2.0') && { request: text }) };
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
}

/** Stops a server, which has given only answers that its OpenAPI document describes. */
export async function stopDocumented(server: RunningServer): Promise<void> {
  expect(await undocumented(server)).toEqual([]);
  await server.stop();
}

async function undocumented(server: RunningServer): Promise<unknown[]> {
  const document: Document = JSON.parse((await server.ask('/openapi.json')).text);
  const compile = await schemaCompiler();
  return server.answers.filter(({ method, path, answer }) => {
    if (method === 'HEAD') return false;
    const type = answer.headers['content-type']?.replace(/;.*/, '') ?? '';
    const operation = operationOf(document, method, path);
    const { status } = answer;
    const schema = operation
      ? (operation.responses[status] ?? operation.responses[`${Math.floor(status / 100)}XX`])?.content[type]?.schema
      : refusal(path, type);
    return schema === undefined || !compile(schema)(contentOf(answer, type));
  });
}

function contentOf({ text }: Answer, type: string): unknown {
  return type === 'application/json' ? JSON.parse(text) : text;
}

function operationOf({ paths }: Document, method: string, asked: string): Operation | undefined {
  const path = asked.replace(/\?.*/s, '').replace(/\/$/, '');
  const [, operations] =
    Object.entries(paths).find(([template]) => {
      return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
    }) ?? [];
  return operations?.[method.toLowerCase()];
}

/** Judges by JSON Schema as Fastify does, but changes nothing. */
export async function schemaCompiler(): Promise<(schema: object) => Validate> {
  const app = fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });
  let compile: ((schema: object) => Validate) | undefined;
  app.get('/', { schema: { querystring: { type: 'object' } } }, async (request) => {
    compile = (schema) => request.compileValidationSchema(schema as { [key: string]: unknown }) as Validate;
  });
  await app.inject('/');
  if (compile === undefined) throw new Error('Fastify has no validator');
  return compile;
}
