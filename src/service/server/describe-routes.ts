import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { version } from '../../../package.json';
import { BODY_TYPES } from './parameters.ts';

/** The deprecated method of the Data Export interface, which takes three parameters together. */
const SIGNATURE = {
  api_key: { type: 'apiKey', in: 'query', name: 'api_key', description: 'The token of the project. Deprecated.' },
  expire: {
    type: 'apiKey',
    in: 'query',
    name: 'expire',
    description: 'Until when the signature holds, in Unix seconds. Deprecated.',
  },
  sig: {
    type: 'apiKey',
    in: 'query',
    name: 'sig',
    description:
      'The MD5, in hexadecimal digits, of all other parameters but `callback`, in the order of their names, each as `name=value`, ' +
      'and the secret of the project behind them. Deprecated.',
  },
} as const;

/** Describes the routes that are added after it. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      servers: [{ url: '/', description: 'The server that answers with this document' }],
      info: {
        title: 'onwhere',
        version,
        description:
          'Versions of datasets, the import of records into them, and queries. Parameters come in the query string or in a body, ' +
          'which counts more; a body of GET is not read. A slash may end each path.',
      },
      components: {
        securitySchemes: {
          secret: {
            type: 'http',
            scheme: 'basic',
            description: 'The user name is the secret of the project or the dataset, the password is empty.',
          },
          ...SIGNATURE,
        },
      },
      security: [{ secret: [] }],
    },
    transform: ({ schema, url }) => ({ schema: documented(schema), url }),
    transformObject: (document) => {
      if (!('openapiObject' in document)) return {};
      const { openapiObject } = document;
      // The plugin asks for every body that it knows of.
      for (const { post, patch, delete: remove } of Object.values(openapiObject.paths ?? {}).flatMap(
        (path) => path ?? [],
      ))
        for (const operation of [post, patch, remove])
          if (operation?.requestBody !== undefined) Object.assign(operation.requestBody, { required: false });
      return openapiObject;
    },
  });
}

/** A parameter that may be in two places is required in neither of them. */
function documented(schema: FastifySchema): FastifySchema {
  if (schema?.body === undefined) return schema;
  const { required, properties } = schema.body as {
    required: readonly string[];
    properties: Record<string, Described>;
  };
  const described = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const need = required.includes(name) ? 'Required, here or in the other place.' : 'Optional.';
      return [name, { ...property, description: `${property.description.replace(/\.$/, '')}. ${need}` }];
    }),
  );
  const either = { type: 'object', properties: described };
  return { ...schema, consumes: [...BODY_TYPES], body: either, querystring: either };
}

interface Described {
  readonly description: string;
}
