import fastify from 'fastify';
import { expect } from 'vitest';
import type { HttpResponse, RunningServer } from './running-server.ts';

type Validate = (value: unknown) => boolean;

const COMPILER = createSchemaCompiler();

/** The compiled schemas by their JSON. All servers have the same, and compiling takes longer than a request. */
const VALIDATORS = new Map<string, Validate>();

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, { schema: object }>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Returns the schema of the responses to unknown paths. */
function createErrorSchema(path: string, contentType: string): object {
  if (contentType === 'application/javascript') return { type: 'string', pattern: '"request":' };
  const text = { type: 'string', minLength: 1 };
  const properties = { error: text, ...(path.startsWith('/api/2.0') && { request: text }) };
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
}

/** Stops a server after checking that its OpenAPI document describes all its responses. */
export async function stopDocumented(server: RunningServer): Promise<void> {
  expect(await findUndocumented(server)).toEqual([]);
  await server.stop();
}

async function readDocument(server: RunningServer): Promise<Document> {
  return JSON.parse((await server.request('/openapi.json')).text);
}

/** All servers have the same. */
let documentRead: Promise<Document> | undefined;

async function findUndocumented(server: RunningServer): Promise<unknown[]> {
  documentRead ??= readDocument(server);
  const document = await documentRead;
  const compile = await COMPILER;
  return server.responses.filter(({ method, path, response }) => {
    if (method === 'HEAD') return false;
    const type = response.headers['content-type']?.replace(/;.*/, '') ?? '';
    const operation = findOperation(document, method, path);
    const { status } = response;
    const schema = operation
      ? (operation.responses[status] ?? operation.responses[`${Math.floor(status / 100)}XX`])?.content[type]?.schema
      : createErrorSchema(path, type);
    if (schema === undefined) return true;
    const key = JSON.stringify(schema);
    const validate = VALIDATORS.get(key) ?? compile(schema);
    VALIDATORS.set(key, validate);
    return !validate(parseBody(response, type));
  });
}

function parseBody({ text }: HttpResponse, type: string): unknown {
  return type === 'application/json' ? JSON.parse(text) : text;
}

function findOperation({ paths }: Document, method: string, url: string): Operation | undefined {
  const path = url.replace(/\?.*/s, '').replace(/\/$/, '');
  const [, operations] =
    Object.entries(paths).find(([template]) => {
      return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
    }) ?? [];
  return operations?.[method.toLowerCase()];
}

/** Returns the JSON Schema compiler of Fastify, without the changes that Fastify makes to values. */
export async function createSchemaCompiler(): Promise<(schema: object) => Validate> {
  const app = fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });
  let compile: ((schema: object) => Validate) | undefined;
  app.get('/', { schema: { querystring: { type: 'object' } } }, async (request) => {
    compile = (schema) => request.compileValidationSchema(schema as { [key: string]: unknown }) as Validate;
  });
  await app.inject('/');
  if (compile === undefined) throw new Error('Fastify has no validator');
  return compile;
}
