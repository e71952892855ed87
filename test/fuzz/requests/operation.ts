import { isJsonObject } from '../../../src/base/json.ts';
import type { Endpoint } from '../../../src/queries/endpoints/endpoint.ts';
import { QUERY_PREFIX } from '../../../src/service/server/responses/query-answers.ts';

/** The part of JSON Schema that declares parameters. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

/** A declared parameter. */
export interface Declared {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  /** A description of valid values; empty if there is only the schema. */
  readonly takes: string;
}

/** An operation of a server: an endpoint of the Data Export interface, or an operation of the OpenAPI document. */
export interface Operation {
  readonly methods: readonly string[];
  /** The path, with the names of parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Declared[];
  readonly isQueryRequest: boolean;
  /** Whether it needs no secret. */
  readonly isOpen: boolean;
}

/** Returns the operation of an endpoint. */
export function createOperation({ path, parameters }: Endpoint): Operation {
  const declared = Object.entries(parameters).flatMap(([name, { kind, isRequired, alias }]): Declared[] => {
    const { schema, takes } = kind;
    const also = alias === undefined ? [] : [{ name: alias, isRequired: false, schema, takes }];
    return [{ name, isRequired, schema, takes }, ...also];
  });
  const methods = ['GET', 'POST', 'POST'];
  return { methods, path: QUERY_PREFIX + path, parameters: declared, isQueryRequest: true, isOpen: false };
}

interface Documented {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly properties?: Record<string, Schema> } }>>;
  };
}

/** Returns the operations of an OpenAPI document, except for the Data Export interface. */
export function listDocumentedOperations(document: unknown): Operation[] {
  if (!isJsonObject(document) || !isJsonObject(document.paths)) throw new Error('Not an OpenAPI document');
  return Object.entries(document.paths)
    .filter(([path]) => !path.startsWith(QUERY_PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Documented>).map(([method, documented]) => ({
        methods: [method.toUpperCase()],
        path,
        parameters: readDocumentedParameters(documented),
        isQueryRequest: false,
        isOpen: documented.security?.length === 0,
      })),
    );
}

function readDocumentedParameters({ parameters = [], requestBody }: Documented): Declared[] {
  const inUrl = parameters.map(({ name, required = false, schema }) => {
    return { name, isRequired: required, schema, takes: '' };
  });
  const [content] = Object.values(requestBody?.content ?? {});
  const inBody = Object.entries(content?.schema.properties ?? {})
    .filter(([name]) => !inUrl.some((other) => other.name === name))
    .map(([name, schema]) => ({ name, isRequired: true, schema, takes: '' }));
  return [...inUrl, ...inBody];
}
