import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageFiles } from '../../../../src/service/server/routes/page-files.ts';
import { RunningServer } from '../running-server.ts';

const PAGE: PageFiles = new Map([
  ['/index.html', createFile('text/html; charset=utf-8', '<script src="./assets/a.js">')],
  ['/assets/a.js', createFile('text/javascript; charset=utf-8', 'alert(1)')],
  ['/icon.svg', createFile('image/svg+xml', '<svg/>')],
]);

function createFile(type: string, text: string) {
  return { type, body: Buffer.from(text) };
}

describe('the page', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await RunningServer.start({ page: PAGE });
  });
  afterAll(() => server.stop());

  const request = (path: string, method = 'GET') => server.request(path, { method, secret: null });

  it('needs no secret, and its content security policy allows only its own styles and scripts', async () => {
    const { status, headers } = await request('/');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      ...[200, 'text/html; charset=utf-8', 'no-store'],
    ]);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
  });

  it('has assets that browsers may cache for ever, and other files that they may not cache', async () => {
    const script = await request('/assets/a.js');
    expect(script).toMatchObject({ status: 200, text: 'alert(1)' });
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect((await request('/icon.svg')).headers['cache-control']).toBe('no-store');
    expect(await request('/', 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  it.each(['/index.html', '/assets/', '/assets/b.js', '/assets/..%2ficon.svg', '/assets/../../package.json'])(
    'has no file at %s',
    async (path) => {
      expect((await request(path)).status).toBe(404);
    },
  );

  it('is refused over plain HTTP and for POST', async () => {
    expect((await server.request('/', { plain: true, secret: null })).status).toBe(403);
    expect(await request('/', 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it('is not in the OpenAPI document', async () => {
    const { paths } = JSON.parse((await request('/openapi.json')).text);
    expect(Object.keys(paths)).not.toContain('/');
    expect(Object.keys(paths).filter((path) => path.includes('asset') || path.includes('icon'))).toEqual([]);
  });
});
