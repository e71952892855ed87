import { isJsonObject } from '../../../src/lang/util/json.ts';
import type { Endpoint } from '../../../src/service/server/endpoints/endpoint.ts';
import { EXPORT_PREFIX } from '../../../src/service/server/export-answers.ts';

/** As much of a JSON Schema as parameters are declared with. */
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

/** A parameter as it is declared. */
export interface Declared {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
  /** What it takes, for people; empty where only the schema says. */
  readonly takes: string;
}

/** What can be asked of a server: an endpoint of the Data Export interface, or an operation of its OpenAPI document. */
export interface Operation {
  readonly methods: readonly string[];
  /** With the names of parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Declared[];
  readonly isExport: boolean;
  /** Whether it is answered without a secret. */
  readonly isOpen: boolean;
}

/** The operation that an endpoint declares. */
export function operationOf({ path, parameters }: Endpoint): Operation {
  const declared = Object.entries(parameters).flatMap(([name, { kind, isRequired, alias }]): Declared[] => {
    const { schema, takes } = kind;
    const also = alias === undefined ? [] : [{ name: alias, isRequired: false, schema, takes }];
    return [{ name, isRequired, schema, takes }, ...also];
  });
  const methods = ['GET', 'POST', 'POST'];
  return { methods, path: EXPORT_PREFIX + path, parameters: declared, isExport: true, isOpen: false };
}

interface Documented {
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly properties?: Record<string, Schema> } }>>;
  };
}

/** The operations of an OpenAPI document that are none of the Data Export interface. */
export function documentedOperations(document: unknown): Operation[] {
  if (!isJsonObject(document) || !isJsonObject(document.paths)) throw new Error('There is no OpenAPI document');
  return Object.entries(document.paths)
    .filter(([path]) => !path.startsWith(EXPORT_PREFIX))
    .flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Documented>).map(([method, documented]) => ({
        methods: [method.toUpperCase()],
        path,
        parameters: parametersOf(documented),
        isExport: false,
        isOpen: documented.security?.length === 0,
      })),
    );
}

function parametersOf({ parameters = [], requestBody }: Documented): Declared[] {
  const inUrl = parameters.map(({ name, required = false, schema }) => {
    return { name, isRequired: required, schema, takes: '' };
  });
  const [content] = Object.values(requestBody?.content ?? {});
  const inBody = Object.entries(content?.schema.properties ?? {})
    .filter(([name]) => !inUrl.some((other) => other.name === name))
    .map(([name, schema]) => ({ name, isRequired: true, schema, takes: '' }));
  return [...inUrl, ...inBody];
}
