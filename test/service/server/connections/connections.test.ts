import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Connections } from '../../../../src/service/server/connections/connections.ts';

/** A connection that can be closed. */
class Fake extends EventEmitter {
  isClosed = false;

  constructor(
    readonly remoteAddress: string,
    readonly remotePort: number,
  ) {
    super();
  }

  destroy(): void {
    this.isClosed = true;
    this.emit('close');
  }
}

function createSockets(...from: [address: string, port: number][]): (Fake & Socket)[] {
  return from.map(([address, port]) => new Fake(address, port) as Fake & Socket);
}

it('Connections makes room by closing the longest idle connection, of an address with too many first', () => {
  const connections = new Connections({ connections: 4, connectionsPerAddress: 2 });
  const all = createSockets(['a', 1], ['b', 1], ['b', 2], ['b', 3], ['c', 1], ['c', 2]);
  const closed = () => all.map(({ isClosed }) => isClosed);
  expect(all.slice(0, 4).map((socket) => connections.add(socket))).toEqual([true, true, true, true]);
  expect(closed()).toEqual([false, true, false, false, false, false]);
  // The oldest connection becomes the last one used.
  connections.begin(all[0] as Socket)();
  expect([connections.add(all[4] as Socket), connections.add(all[5] as Socket)]).toEqual([true, true]);
  expect(closed()).toEqual([false, true, true, false, false, false]);
});

it('Connections refuses a new connection while all others are busy', () => {
  const connections = new Connections({ connections: 1, connectionsPerAddress: 2 });
  const [busy, next, last] = createSockets(['a', 1], ['b', 1], ['b', 2]) as [
    Fake & Socket,
    Fake & Socket,
    Fake & Socket,
  ];
  connections.add(busy);
  const end = connections.begin(busy);
  expect([connections.add(next), next.isClosed, busy.isClosed]).toEqual([false, true, false]);
  end();
  expect([connections.add(last), last.isClosed, busy.isClosed]).toEqual([true, false, true]);
});
