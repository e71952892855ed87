import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageFiles } from '../../../src/service/server/page-files.ts';
import { RunningServer } from './running-server.ts';

const PAGE: PageFiles = new Map([
  [
    '/index.html',
    file('text/html; charset=utf-8', '<meta property="csp-nonce" nonce="" /><script src="./assets/a.js">'),
  ],
  ['/assets/a.js', file('text/javascript; charset=utf-8', 'alert(1)')],
  ['/icon.svg', file('image/svg+xml', '<svg/>')],
]);

function file(type: string, text: string) {
  return { type, body: Buffer.from(text) };
}

describe('the page', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await RunningServer.start({ page: PAGE });
  });
  afterAll(() => server.stop());

  const ask = (path: string, method = 'GET') => server.ask(path, { method, secret: null });

  it('needs no secret, and has a policy that lets in only its own styles and scripts', async () => {
    const { status, headers, text } = await ask('/');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      ...[200, 'text/html; charset=utf-8', 'no-store'],
    ]);
    const [, nonce] = /nonce="([^"]+)"/.exec(text) ?? [];
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect((await ask('/')).text).not.toContain(nonce);
  });

  it('has files that are kept for as long as they are named so', async () => {
    const script = await ask('/assets/a.js');
    expect(script).toMatchObject({ status: 200, text: 'alert(1)' });
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect((await ask('/icon.svg')).headers['cache-control']).toBe('no-store');
    expect(await ask('/', 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  it.each(['/index.html', '/assets/', '/assets/b.js', '/assets/..%2ficon.svg', '/assets/../../package.json'])(
    'has nothing at %s',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );

  it('is refused over plain HTTP, and takes nothing', async () => {
    expect((await server.ask('/', { plain: true, secret: null })).status).toBe(403);
    expect(await ask('/', 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it('is not part of the interfaces', async () => {
    const { paths } = JSON.parse((await ask('/openapi.json')).text);
    expect(Object.keys(paths)).not.toContain('/');
    expect(Object.keys(paths).filter((path) => path.includes('asset') || path.includes('icon'))).toEqual([]);
  });
});
