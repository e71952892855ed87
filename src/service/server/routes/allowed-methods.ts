import type { FastifyInstance, FastifyRequest } from 'fastify';
import { escapeUnprintable } from '../../../base/strings.ts';
import { apiErrors } from '../../../queries/endpoints/api-errors.ts';
import { HttpError } from '../../../queries/http-error.ts';

/** Knows the methods of each path, for the routes that are added after it. */
export class AllowedMethods {
  private readonly methods = new Map<string, Set<string>>();

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', ({ url, method }) => {
      const known = this.methods.get(url) ?? new Set();
      for (const one of [method].flat()) known.add(one);
      this.methods.set(url, known);
    });
  }

  /** Creates the error of a request that no route handles: 405 if its path has other methods, else 404. */
  createRefusal({ method, raw }: FastifyRequest): HttpError {
    const path = (raw.url ?? '').replace(/\?.*/s, '');
    for (const [route, methods] of this.methods) {
      if (!createPattern(route).test(path)) continue;
      const allow = [...methods].sort().join(', ');
      return new HttpError(405, `${escapeUnprintable(method)} is not allowed here: use ${allow}`, { Allow: allow });
    }
    return apiErrors.noEndpoint(path);
  }
}

function createPattern(route: string): RegExp {
  return new RegExp(`^${route.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`);
}
