import { getOwnValue, type JsonObject } from '../../../lang/util/json.ts';
import type { QueryName, RequestOf, ResultOf } from '../../analytics/query-executor.ts';
import type { OpenAnswer } from '../../analytics/stored-answer.ts';
import { DATASET_PARAMETERS, getQueryTarget } from './dataset-parameters.ts';
import { type Parameters, readParameters, type ValuesOf } from './parameter.ts';
import type { RequestContext } from './request-context.ts';

/** The groups of endpoints, in the order of the published interface. */
export const GROUPS = [
  'annotations',
  'events',
  'properties',
  'funnels',
  'segmentation',
  'retention',
  'engage',
] as const;

export type Group = (typeof GROUPS)[number];

/** An answer as it is published. */
export interface EndpointAnswer {
  readonly type: 'application/json' | 'text/csv';
  /** Long ones are in files, which who asks destroys where they are not read to the end. */
  readonly text: string | OpenAnswer;
}

/** What every endpoint says of itself. */
interface Described<P extends Parameters> {
  /** Without the prefix of the interface and the slash at the end. */
  readonly path: string;
  readonly group: Group;
  readonly summary: string;
  readonly parameters: P;
  /** The JSON Schema of its answer. */
  readonly schema: object;
  /** Whether it changes anything. */
  readonly isWrite?: true;
  /** Parameters to try, of the sample data. */
  readonly example: Readonly<Record<string, string>>;
}

/** An endpoint of the Data Export interface. Routes, documents and commands are made of it. */
export interface Endpoint extends Described<Parameters> {
  /**
   * Answers a request with these parameters.
   *
   * @throws {HttpError} where they are wrong.
   */
  answer(written: JsonObject, asker: RequestContext): Promise<EndpointAnswer>;
}

interface Declared<P extends Parameters> extends Described<P> {
  answer(asked: ValuesOf<P>, asker: RequestContext): Promise<EndpointAnswer>;
}

interface DeclaredQuery<P extends Parameters, Name extends QueryName> extends Described<P> {
  readonly query: Name;
  request(asked: ValuesOf<P>, asker: RequestContext): RequestOf<Name> | Promise<RequestOf<Name>>;
  /** The text of an answer, piece by piece. */
  write(result: ResultOf<Name>, asked: ValuesOf<P>): Iterable<string>;
}

/** An endpoint with its parameters read. */
export function declareEndpoint<P extends Parameters>(declared: Declared<P>): Endpoint {
  return {
    ...declared,
    answer: async (written, asker) => declared.answer(readParameters(declared.parameters, written), asker),
  };
}

/** An answer of JSON. */
export function answerJson(json: unknown): EndpointAnswer {
  return { type: 'application/json', text: JSON.stringify(json) };
}

/** An endpoint that makes a query of its parameters, and its answer of the result. With a parameter `format`, that may be CSV. */
export function declareQuery<P extends Parameters, Name extends QueryName>(declared: DeclaredQuery<P, Name>): Endpoint {
  return declareEndpoint({
    ...declared,
    parameters: { ...declared.parameters, ...DATASET_PARAMETERS },
    async answer(values, asker) {
      // What is declared and what narrows have no name in common.
      const asked = values as ValuesOf<P> & ValuesOf<typeof DATASET_PARAMETERS>;
      const request = await declared.request(asked, asker);
      const format = getOwnValue(values, 'format') === 'csv' ? 'csv' : 'json';
      const write = (result: ResultOf<Name>) => declared.write(result, asked);
      const question = { name: declared.query, request, format, write };
      const text = await asker.services.desk.ask(getQueryTarget(asker, asked), question, asker.signal);
      return { type: format === 'csv' ? 'text/csv' : 'application/json', text };
    },
  });
}
