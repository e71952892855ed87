import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { PageFiles } from './page-files.ts';

const HEADERS = { 'Referrer-Policy': 'no-referrer' };

/** Of files whose names change with what is in them. */
const FOREVER = 'public, max-age=31536000, immutable';

/** What stands in the page where its nonce goes. */
const NONCE = '<meta property="csp-nonce" nonce="';

/** The server's own page, which has no secret and needs none: whoever uses it types theirs. */
export function addPageRoutes(app: FastifyInstance, files: PageFiles): void {
  const index = files.get('/index.html');
  if (index === undefined) throw new Error('the files of the page are missing');
  const html = index.body.toString();
  const schema = { hide: true };
  app.get('/', { schema }, (_, reply) => {
    // The editor makes styles as it goes, which a policy lets in one by one.
    const nonce = randomBytes(16).toString('base64');
    reply.headers({ ...HEADERS, 'Content-Security-Policy': policy(nonce) }).type(index.type);
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

function policy(nonce: string): string {
  const parts = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  };
  return Object.entries(parts)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
