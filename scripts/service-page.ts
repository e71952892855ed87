import fastify from 'fastify';
import type { Metrics } from '../src/service/server/monitoring/metrics.ts';
import { addDatasetRoutes, type DatasetsService } from '../src/service/server/routes/add-dataset-routes.ts';
import { addImportRoutes } from '../src/service/server/routes/add-import-routes.ts';
import { addOpenRoutes } from '../src/service/server/routes/add-open-routes.ts';
import {
  addSavedFilterRoutes,
  type SavedFiltersService,
} from '../src/service/server/routes/add-saved-filter-routes.ts';
import { describeRoutes } from '../src/service/server/routes/describe-routes.ts';

export const SERVICE_PAGE = 'docs/api/service.md';

interface Property {
  readonly description: string;
}

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly (Property & { readonly name: string; readonly in: string })[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { properties: Record<string, Property> } }>>;
  };
  readonly responses: Readonly<Record<string, Property>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Returns the page about all requests except queries, from the OpenAPI document of the server. */
export async function writeServicePage(): Promise<string> {
  const sections = Object.entries(await readPaths()).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => writeSection(method, path, operation)),
  );
  return [
    '# Datasets, imports and saved filters',
    '',
    '<!-- Written by `npm run generate`. -->',
    '',
    'These requests create versions of datasets, import records into them, keep saved filters, and watch the server. The [introduction](README.md)',
    'explains secrets and errors, and [Operate the service](../guide/operating.md) shows the requests in order. A server describes all of its',
    'requests at `/openapi.json`.',
    '',
    ...sections,
  ].join('\n');
}

/** Reads the OpenAPI document. It never calls the handlers, so they get no datasets and no metrics. */
async function readPaths(): Promise<Paths> {
  const app = fastify();
  await describeRoutes(app);
  addDatasetRoutes(app, {} as DatasetsService);
  addImportRoutes(app, {} as DatasetsService, {} as SavedFiltersService, {} as Metrics);
  addSavedFilterRoutes(app, {} as SavedFiltersService);
  addOpenRoutes(app, {} as Metrics, { isOpen: true }, () => false);
  await app.ready();
  const { paths } = app.swagger();
  await app.close();
  return paths as Paths;
}

function writeSection(
  method: string,
  path: string,
  { summary, parameters = [], requestBody, responses }: Operation,
): string {
  const body = Object.values(requestBody?.content ?? {})[0]?.schema.properties ?? {};
  const rows = new Map([
    ...parameters.map(({ name, in: place, description }) => [name, writeRow(name, place, description)] as const),
    ...Object.entries(body).map(
      ([name, { description }]) => [name, writeRow(name, 'body or query', description)] as const,
    ),
  ]);
  const table = ['| Parameter | In | |', '|---|---|---|', ...rows.values(), ''];
  return [
    `## \`${method.toUpperCase()} ${path}\``,
    '',
    `${summary}.`,
    '',
    ...(rows.size === 0 ? [] : table),
    '| Status | Response |',
    '|---|---|',
    ...Object.entries(responses).map(([status, { description }]) => `| ${status} | ${description} |`),
    '',
  ].join('\n');
}

function writeRow(name: string, place: string, description: string): string {
  return `| \`${name}\` | ${place} | ${description} |`;
}
