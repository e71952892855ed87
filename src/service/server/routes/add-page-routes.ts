import type { FastifyInstance } from 'fastify';
import type { PageFiles } from './page-files.ts';

const HEADERS = { 'Referrer-Policy': 'no-referrer' };

/** Caching of files whose names contain a hash of their content. */
const FOREVER = 'public, max-age=31536000, immutable';

const POLICY = Object.entries({
  'default-src': "'none'",
  'script-src': "'self'",
  'worker-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
})
  .map(([name, value]) => `${name} ${value}`)
  .join('; ');

/** Adds the routes of the page. It contains no secret: users enter theirs. */
export function addPageRoutes(app: FastifyInstance, files: PageFiles): void {
  const index = files.get('/index.html');
  if (index === undefined) throw new Error('The page has no index.html');
  const schema = { hide: true };
  app.get('/', { schema }, (_, reply) => {
    reply.headers({ ...HEADERS, 'Content-Security-Policy': POLICY }).type(index.type);
    return reply.send(index.body);
  });
  for (const [path, { type, body }] of files) {
    if (path === '/index.html') continue;
    const caching = path.startsWith('/assets/') ? { 'Cache-Control': FOREVER } : {};
    app.get(path, { schema }, (_, reply) =>
      reply
        .headers({ ...HEADERS, ...caching })
        .type(type)
        .send(body),
    );
  }
}
