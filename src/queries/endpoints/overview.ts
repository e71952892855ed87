import {
  DATASETS_SCHEMA,
  NAME_COUNTS_SCHEMA,
  OVERVIEW_SCHEMA,
  PROJECT_SCHEMA,
  VALUE_COUNTS_SCHEMA,
} from './answer-schemas.ts';
import { answerJson, declareEndpoint, declareQuery, type Endpoint } from './endpoint.ts';
import { choice, integer, string } from './kinds.ts';
import { allowParameter, requireParameter } from './parameter.ts';

/** More would not be read by people. */
const MAX_NAMES = 1000;

const LIMIT = allowParameter(integer({ max: MAX_NAMES }), 'Maximum number to return.', 100);
const SCOPE = allowParameter(choice('properties', 'user'), 'Properties of events, or of people.', 'properties');

/** Endpoints for the page of the server. The published interface does not have them. */
export const OVERVIEW: readonly Endpoint[] = [
  declareQuery({
    path: '/overview',
    schema: OVERVIEW_SCHEMA,
    group: 'overview',
    summary: 'The dates of nearly all events, and the most common events over these dates',
    parameters: { limit: LIMIT },
    example: { limit: '3' },
    query: 'overview',
    request: ({ limit }) => ({ limit }),
    write({ dates, unit, buckets, events }) {
      const { from = null, to = null } = dates ?? {};
      const named = events.map(({ name, count, values }) => ({ event: name, count, values }));
      return [JSON.stringify({ from_date: from, to_date: to, unit, series: buckets, events: named })];
    },
  }),
  declareEndpoint({
    path: '/overview/project',
    schema: PROJECT_SCHEMA,
    group: 'overview',
    summary: 'The name and the time zone of the project',
    parameters: {},
    example: {},
    async handle(_, { access: { project } }) {
      return answerJson({ name: project.name, time_zone: project.timeZone });
    },
  }),
  declareEndpoint({
    path: '/overview/datasets',
    schema: DATASETS_SCHEMA,
    group: 'overview',
    summary: 'Datasets of the project with their versions, newest first',
    parameters: {},
    example: {},
    async handle(_, { access, services }) {
      const datasets = await services.listDatasets(access);
      return answerJson(
        datasets.map(({ datasetId, versions }) => ({
          dataset_id: datasetId,
          versions: versions.map(({ version_id, created_at, is_live }) => ({ version_id, created_at, is_live })),
        })),
      );
    },
  }),
  declareQuery({
    path: '/overview/properties',
    schema: NAME_COUNTS_SCHEMA,
    group: 'overview',
    summary: 'Most common properties of all events or of people, with the number of records that have each',
    parameters: { scope: SCOPE, limit: LIMIT },
    example: { limit: '3' },
    query: 'names',
    request: ({ scope, limit }) => ({ of: scope, limit }),
    write: (names) => [JSON.stringify(names)],
  }),
  declareQuery({
    path: '/overview/values',
    schema: VALUE_COUNTS_SCHEMA,
    group: 'overview',
    summary:
      'Most common values of a property over all events, with their types and the number of events that have each',
    parameters: { scope: SCOPE, name: requireParameter(string, 'Name of the property.'), limit: LIMIT },
    example: { name: 'plan', limit: '3' },
    query: 'values',
    request: ({ scope, name, limit }) => ({ scope, name, limit }),
    write: (values) => [JSON.stringify(values.map(({ name, type, count }) => ({ value: name, type, count })))],
  }),
];
