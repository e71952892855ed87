import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { PageFiles } from './page-files.ts';

const HEADERS = { 'Referrer-Policy': 'no-referrer' };

/** Caching of files whose names contain a hash of their content. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Precedes the place of the nonce in the page. */
const NONCE = '<meta property="csp-nonce" nonce="';

/** Adds the routes of the web console. It contains no secret: users enter theirs. */
export function addPageRoutes(app: FastifyInstance, files: PageFiles): void {
  const index = files.get('/index.html');
  if (index === undefined) throw new Error('The page has no index.html');
  const html = index.body.toString();
  const schema = { hide: true };
  app.get('/', { schema }, (_, reply) => {
    // The editor adds styles at run time, which the policy allows by nonce.
    const nonce = randomBytes(16).toString('base64');
    reply.headers({ ...HEADERS, 'Content-Security-Policy': createPolicy(nonce) }).type(index.type);
    return reply.send(html.replace(NONCE, NONCE + nonce));
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

function createPolicy(nonce: string): string {
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
