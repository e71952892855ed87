import { getOwnValue, type JsonObject } from '../../base/json.ts';
import { listNamedInRequest } from '../absent-names.ts';
import type { AnswerStream, OpenAnswer } from '../answer-stream.ts';
import type { QueryName, RequestOf, ResultOf } from '../requests.ts';
import type { RequestContext } from '../services.ts';
import { DATASET_PARAMETERS, getTarget } from './dataset-parameters.ts';
import { type Parameters, readParameters, type ValuesOf } from './parameter.ts';
import { addLastKey, addWarningsSchema, findWarnings, VERBOSE } from './warnings.ts';

/** The groups of endpoints, in the order of the published interface. */
export const GROUPS = [
  'annotations',
  'events',
  'properties',
  'funnels',
  'segmentation',
  'retention',
  'engage',
  'overview',
  'export',
] as const;

export type Group = (typeof GROUPS)[number];

/** The body of a successful response. */
export interface EndpointAnswer {
  readonly type: 'application/json' | 'text/csv' | 'application/x-ndjson';
  /** The caller must destroy the stream of a long body if it does not read it to the end. */
  readonly text: string | AnswerStream | OpenAnswer;
}

/** The declaration of an endpoint, without its code. */
interface EndpointDescription<P extends Parameters> {
  /** Without `/api/2.0` and a trailing slash. */
  readonly path: string;
  readonly group: Group;
  readonly summary: string;
  readonly parameters: P;
  /** The JSON Schema of the response body, or of each of its lines. */
  readonly schema: object;
  /** Set if the response is NDJSON. */
  readonly hasLines?: true;
  /** Set if the endpoint changes data. */
  readonly isWrite?: true;
  /** Parameters of an example request to the demo data. */
  readonly example: Readonly<Record<string, string>>;
}

/** An endpoint of the query interface. Routes, the OpenAPI document, docs and CLI commands derive from it. */
export interface Endpoint extends EndpointDescription<Parameters> {
  /**
   * Runs a request.
   *
   * @param given The parameters as the request has them, not yet validated.
   * @throws {HttpError} if a parameter is missing or invalid
   */
  handle(given: JsonObject, context: RequestContext): Promise<EndpointAnswer>;
}

interface EndpointDeclaration<P extends Parameters> extends EndpointDescription<P> {
  handle(values: ValuesOf<P>, context: RequestContext): Promise<EndpointAnswer>;
}

interface QueryDeclaration<P extends Parameters, Name extends QueryName> extends EndpointDescription<P> {
  readonly query: Name;
  request(values: ValuesOf<P>, context: RequestContext): RequestOf<Name> | Promise<RequestOf<Name>>;
  /** Set if the request names events, properties or values. The response must be a JSON object or CSV. */
  readonly canWarn?: true;
  /** Serializes the result, in pieces. */
  write(result: ResultOf<Name>, values: ValuesOf<P>): Iterable<string>;
}

/** Creates an endpoint that validates its parameters before it handles a request. */
export function declareEndpoint<P extends Parameters>(declaration: EndpointDeclaration<P>): Endpoint {
  return {
    ...declaration,
    handle: async (given, context) => declaration.handle(readParameters(declaration.parameters, given), context),
  };
}

/** Creates a JSON response. */
export function answerJson(json: unknown): EndpointAnswer {
  return { type: 'application/json', text: JSON.stringify(json) };
}

/**
 * Creates an endpoint that runs a query and returns its result as JSON or, with `format=csv`, as CSV. With `verbose`, JSON
 * has warnings.
 */
export function declareQuery<P extends Parameters, Name extends QueryName>(
  declaration: QueryDeclaration<P, Name>,
): Endpoint {
  const { canWarn, schema, parameters } = declaration;
  return declareEndpoint({
    ...declaration,
    schema: canWarn ? addWarningsSchema(schema) : schema,
    parameters: { ...parameters, ...DATASET_PARAMETERS, ...(canWarn && { verbose: VERBOSE }) },
    async handle(given, context) {
      // No query declares a parameter that is named like one of these.
      const values = given as ValuesOf<P> & ValuesOf<typeof DATASET_PARAMETERS> & { readonly verbose?: boolean };
      const request = await declaration.request(values, context);
      const format = getOwnValue(values, 'format') === 'csv' ? 'csv' : 'json';
      const write = (result: ResultOf<Name>) => declaration.write(result, values);
      const query = { name: declaration.query, request, format, write };
      const target = getTarget(context, values);
      const text = await context.services.ask(target, query);
      if (format === 'csv') return { type: 'text/csv', text };
      if (values.verbose !== true) return { type: 'application/json', text };
      const warnings = await findWarnings(context.services, target, listNamedInRequest(request));
      return { type: 'application/json', text: addLastKey(text, 'warnings', warnings) };
    },
  });
}
