import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Wire, type Written } from './exchange.ts';

const NONE = { query: [], form: [] };
const written: Written = { method: 'GET', url: '/', headers: {}, parameters: {}, repeated: NONE };

let server: Server;
let wire: Wire;
let connections = 0;
/** The number of requests that each connection answers before it is closed. */
let answers = 1;

beforeEach(async () => {
  connections = 0;
  server = createServer(({ socket }, response) => {
    const seen = (served.get(socket) ?? 0) + 1;
    served.set(socket, seen);
    if (seen > answers) socket.destroy();
    else response.end('ok');
  });
  const served = new WeakMap<object, number>();
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  wire = new Wire(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterEach(() => {
  wire.close();
  server.close();
});

it('sends a request again if its connection was closed after an earlier one', async () => {
  answers = 1;
  for (const open of [1, 2, 3]) {
    expect((await wire.send(written)).answer?.body).toBe('ok');
    expect(connections).toBe(open);
  }
});

it('does not send a request again on which a new connection was closed', async () => {
  answers = 0;
  expect((await wire.send(written)).closed).toBe('socket hang up');
  expect(connections).toBe(1);
});
