import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAnswers } from '../../../../scripts/api-page.ts';
import { SERVED_ENDPOINTS } from '../../../../src/queries/endpoints/explain.ts';
import { RunningServer } from '../running-server.ts';
import { createSchemaCompiler } from '../stop-documented.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await RunningServer.start();
});
afterAll(() => server.stop());

interface Documented {
  readonly paths: Record<string, Record<string, { parameters?: { name: string; in: string }[]; operationId: string }>>;
}

async function readDocument(): Promise<Documented> {
  return JSON.parse((await server.request('/openapi.json', { secret: null })).text);
}

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    const { valid, errors } = await new Validator().validate({ ...(await readDocument()) });
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it.each(SERVED_ENDPOINTS.map((endpoint) => [endpoint.path, endpoint] as const))(
    'describes the response in the reference of %s',
    async (path, { group, schema }) => {
      const page = readFileSync(new URL(`../../../../docs/api/${group}.md`, import.meta.url), 'utf8');
      const matches = (await createSchemaCompiler())(schema);
      expect(matches(JSON.parse(readAnswers(page).get(path) as string))).toBe(true);
      expect(matches({ unknown: [[]] })).toBe(false);
    },
  );

  it('lists every operation and its parameters', async () => {
    const operations = Object.entries((await readDocument()).paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [] }]) => [
        `${method.toUpperCase()} ${path}`,
        parameters
          .map(({ name }) => name)
          .sort()
          .join(' '),
      ]),
    );
    const queries = SERVED_ENDPOINTS.flatMap(({ path, parameters }) => {
      const names = [...Object.keys(parameters), 'callback'].sort().join(' ');
      return ['GET', 'POST'].map((method) => [`${method} /api/2.0${path}`, names]);
    });
    expect(Object.fromEntries(operations)).toEqual({
      ...Object.fromEntries(queries),
      'GET /healthz': '',
      'GET /metrics': '',
      'GET /openapi.json': '',
      'POST /datasets/{dataset_id}/versions': 'dataset_id token',
      'GET /datasets/{dataset_id}/versions': 'dataset_id token',
      'GET /datasets/{dataset_id}/versions/{version_id}': 'dataset_id token version_id',
      'PATCH /datasets/{dataset_id}/versions/{version_id}': 'dataset_id state token version_id',
      'DELETE /datasets/{dataset_id}/versions/{version_id}': 'dataset_id token version_id',
      'POST /segments': 'event name where',
      'GET /segments': '',
      'DELETE /segments': 'name',
      'POST /import-events': 'data dataset_id dataset_version verbose',
      'POST /import-people': 'data dataset_id dataset_version verbose',
    });
  });
});
