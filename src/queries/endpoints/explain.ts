import type { JsonObject } from '../../base/json.ts';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { flag } from './kinds.ts';
import { allowParameter, readParameters } from './parameter.ts';

/** The parameter that adds an explanation to a response. */
const EXPLAIN = allowParameter(
  flag,
  'Set to 1 to add `explain` to a JSON response: whether it was computed or cached, what it read, and how long it took.',
  false,
);

/** How the queries of a request were answered. */
export interface QueryExplanation {
  /** Whether an answer was computed, or all were cached. */
  readonly answer?: 'computed' | 'cached' | undefined;
  /** The time that the queries spent in the queue, in milliseconds. */
  readonly waited_ms: number;
  /** The time that the queries took after that, in milliseconds. */
  readonly ran_ms: number;
  /** The rows that were read: all events, or only counts by hour and later events. */
  readonly read?: 'events' | 'counts' | undefined;
}

const SCHEMA = {
  type: 'object',
  properties: {
    answer: { enum: ['computed', 'cached'] },
    waited_ms: { type: 'number' },
    ran_ms: { type: 'number' },
    read: { enum: ['events', 'counts'] },
  },
  required: ['waited_ms', 'ran_ms'],
  description: 'Present with `explain=1`.',
};

/** The endpoints of a server, which explains how it answers those that can have warnings. */
export const SERVED_ENDPOINTS: readonly Endpoint[] = ENDPOINTS.map((endpoint) => {
  if (!Object.hasOwn(endpoint.parameters, 'verbose')) return endpoint;
  const { properties } = endpoint.schema as { readonly properties?: object };
  return {
    ...endpoint,
    parameters: { ...endpoint.parameters, explain: EXPLAIN },
    schema: { ...endpoint.schema, properties: { ...properties, explain: SCHEMA } },
  };
});

/**
 * Returns whether a request asks for an explanation, which its endpoint can give.
 *
 * @throws {HttpError} for an invalid `explain`
 */
export function wantsExplanation({ parameters }: Endpoint, given: JsonObject): boolean {
  return Object.hasOwn(parameters, 'explain') && readParameters({ explain: EXPLAIN }, given).explain;
}
