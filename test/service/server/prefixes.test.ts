import { afterAll, beforeAll, expect, it } from 'vitest';
import { RunningServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await RunningServer.start();
});
afterAll(() => server.stop());

it.each(['/engage?where=true', '/engage/', '/engage?page=x', '/nothing', '', '/funnels/list/'])(
  'answers /api/query%s like /api/2.0',
  async (path) => {
    server.services.result = { page: 0, pageSize: 1000, results: [], sessionId: 's', total: 0 };
    const [one, other] = [await server.request(`/api/2.0${path}`), await server.request(`/api/query${path}`)];
    expect([other.status, other.text]).toEqual([one.status, one.text]);
  },
);

it('has no other prefix', async () => {
  for (const path of ['/api/querys/engage', '/api/query2.0/engage', '/api/engage'])
    expect((await server.request(path)).status).toBe(404);
});
