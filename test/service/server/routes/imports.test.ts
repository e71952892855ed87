import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKEN } from '../fake-datasets.ts';
import { RunningServer } from '../running-server.ts';
import { stopDocumented } from '../stop-documented.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await RunningServer.start();
  await server.sendForm('/datasets/shop/versions', { token: TOKEN });
});
afterAll(() => stopDocumented(server));

const BATCH = { dataset_id: 'shop', dataset_version: 'v1' };

describe.each(['/import-events', '/import-events/', '/import-people', '/import-people/'])('%s', (path) => {
  it('answers 1 if the batch is stored', async () => {
    const response = await server.sendForm(path, { ...BATCH, data: 'ab+/==' });
    expect([response.status, response.headers['content-type'], response.text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '1',
    ]);
    expect(server.datasets.imported.at(-1)).toEqual({
      kind: path.includes('events') ? 'events' : 'people',
      data: 'ab+/==',
    });
  });

  it('answers 0 if the batch is refused', async () => {
    const response = await server.sendForm(path, { ...BATCH, data: 'bad' });
    expect([response.status, response.headers['content-type'], response.text]).toEqual([
      400,
      'text/plain; charset=utf-8',
      '0',
    ]);
  });

  it('gives the reason if verbose', async () => {
    const good = await server.sendForm(path, { ...BATCH, data: 'x', verbose: '1' });
    expect([good.status, good.text]).toEqual([200, '{"error":null,"status":1}']);
    const bad = await server.sendForm(path, { ...BATCH, data: 'bad', verbose: '1' });
    expect([bad.status, JSON.parse(bad.text)]).toEqual([400, { error: 'The data is not base64', status: 0 }]);
    const unknown = await server.sendForm(path, { ...BATCH, data: 'x', dataset_version: 'v9', verbose: '1' });
    expect([unknown.status, JSON.parse(unknown.text)]).toEqual([404, { error: 'There is no version v9', status: 0 }]);
  });
});

describe('an import', () => {
  it.each(['1', 'true'])('is verbose if a JSON body has `verbose` %s', async (verbose) => {
    const body = JSON.stringify({ ...BATCH, data: 'x', verbose: JSON.parse(verbose) });
    const headers = { 'content-type': 'application/json' };
    const response = await server.request('/import-events', { method: 'POST', headers, body });
    expect(response.text).toBe('{"error":null,"status":1}');
  });

  it('is verbose if the query string says so and the body cannot be read', async () => {
    const request = (query: string) => {
      return server.request(`/import-events${query}`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body: 'x',
      });
    };
    const response = await request('?verbose=1');
    expect([response.status, JSON.parse(response.text)]).toEqual([415, { error: expect.any(String), status: 0 }]);
    expect((await request('')).text).toBe('0');
  });

  it('passes on data with spaces for unescaped plus signs, which the decoder accepts', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'data=a+b%20c%2Bd&dataset_id=shop&dataset_version=v1';
    await server.request('/import-events', { method: 'POST', headers, body });
    expect(server.datasets.imported.at(-1)?.data).toBe('a b c+d');
  });

  it('logs the details of an internal error and hides them from the client', async () => {
    const response = await server.sendForm('/import-events', { ...BATCH, data: 'broken', verbose: '1' });
    expect(response.status).toBe(500);
    const { error, status } = JSON.parse(response.text);
    const [, id] = /^Internal server error: see request ([0-9a-f-]{36}) in the server log$/.exec(error) ?? [];
    expect(status).toBe(0);
    expect(server.log.some((line) => line.includes(String(id)) && line.includes('something inside'))).toBe(true);
  });

  it('reports a disk failure without paths, which only the log has', async () => {
    const response = await server.sendForm('/import-events', { ...BATCH, data: 'full', verbose: '1' });
    expect([response.status, JSON.parse(response.text)]).toEqual([507, { error: 'No room', status: 0 }]);
    const [line] = server.log.filter((text) => text.includes('disk failed'));
    expect(JSON.parse(line ?? '')).toMatchObject({ level: 50, error: 'ENOSPC on a path' });
  });

  it('is logged if refused, without the reason, which may quote data', async () => {
    await server.sendForm('/import-events', { ...BATCH, data: 'bad' });
    const line = server.log.at(-1) ?? '';
    expect(JSON.parse(line)).toMatchObject({ level: 30, method: 'POST', route: '/import-events', status: 400 });
    expect(line).not.toContain('base64');
  });

  it('is counted in the metrics', async () => {
    const before = await readCounts();
    await server.sendForm('/import-people', { ...BATCH, data: 'x' });
    await server.sendForm('/import-people', { ...BATCH, data: 'bad' });
    const after = await readCounts();
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([
      1,
      'dataset_id=shop&dataset_version=v1&data=x'.length,
      1,
    ]);
  });
});

async function readCounts(): Promise<number[]> {
  const { text } = await server.request('/metrics', { secret: null });
  const names = [
    'imported_records_total{kind="people"}',
    'imported_bytes_total{kind="people"}',
    'refused_batches_total{kind="people",status="400"}',
  ];
  return names.map((name) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`onwhere_${name}`))
        ?.split(' ')[1] ?? 0,
    ),
  );
}
