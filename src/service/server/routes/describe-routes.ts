import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { version } from '../../../../package.json';
import { BODY_TYPES } from '../requests/parameters.ts';

/** The deprecated signatures of the query interface, which need all three parameters. */
const SIGNATURE = {
  api_key: { type: 'apiKey', in: 'query', name: 'api_key', description: 'Token of the project. Deprecated.' },
  expire: {
    type: 'apiKey',
    in: 'query',
    name: 'expire',
    description: 'Expiry time of the signature, in Unix seconds. Deprecated.',
  },
  sig: {
    type: 'apiKey',
    in: 'query',
    name: 'sig',
    description:
      'Hexadecimal MD5 of all other parameters except `callback`, sorted by name, each as `name=value`, followed by the ' +
      'secret of the project. Deprecated.',
  },
} as const;

/** Registers the OpenAPI document. It describes the routes that are added afterwards. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      servers: [{ url: '/', description: 'This server' }],
      info: {
        title: 'onwhere',
        version,
        description:
          'Manage versions of datasets, import records, and run queries. Send parameters in the query string or in the body; ' +
          'the body wins, and GET ignores it. Paths may have a trailing slash.',
      },
      components: {
        securitySchemes: {
          secret: {
            type: 'http',
            scheme: 'basic',
            description: 'The user name is the secret of the project or dataset; the password is empty.',
          },
          ...SIGNATURE,
        },
      },
      security: [{ secret: [] }],
    },
    transform: ({ schema, url }) => ({ schema: allowInQuery(schema), url }),
    transformObject: (document) => {
      if (!('openapiObject' in document)) return {};
      const { openapiObject } = document;
      // The plugin marks every body as required.
      for (const { post, patch, delete: remove } of Object.values(openapiObject.paths ?? {}).flatMap(
        (path) => path ?? [],
      ))
        for (const operation of [post, patch, remove])
          if (operation?.requestBody !== undefined) Object.assign(operation.requestBody, { required: false });
      return openapiObject;
    },
  });
}

/** Documents the parameters of a body in the query string too. Neither is required, as the other may have them. */
function allowInQuery(schema: FastifySchema): FastifySchema {
  if (schema?.body === undefined) return schema;
  const { required, properties } = schema.body as {
    required: readonly string[];
    properties: Record<string, DescribedProperty>;
  };
  const documented = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const note = required.includes(name) ? 'Required, in the body or the query string.' : 'Optional.';
      return [name, { ...property, description: `${property.description.replace(/\.$/, '')}. ${note}` }];
    }),
  );
  const either = { type: 'object', properties: documented };
  return { ...schema, consumes: [...BODY_TYPES], body: either, querystring: either };
}

interface DescribedProperty {
  readonly description: string;
}
