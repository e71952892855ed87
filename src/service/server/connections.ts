import type { Socket } from 'node:net';

/** How many connections there may be. */
export interface ConnectionLimits {
  readonly connections: number;
  /** From one address. */
  readonly connectionsPerAddress: number;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** How many requests are under way on it. */
  requests: number;
}

/** The connections of a server. Where there are too many, the one that has idled the longest is closed for a new one. */
export class Connections {
  /** By where they come from, the one that was used last at the end. */
  private readonly open = new Map<string, Connection>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly limits: ConnectionLimits) {}

  /** Whether there is room for a new connection, which is closed otherwise. */
  add(socket: Socket): boolean {
    const { remoteAddress: address = '' } = socket;
    const isTooMany = this.countOf(address) >= this.limits.connectionsPerAddress;
    if (isTooMany || this.open.size >= this.limits.connections) {
      const idle = [...this.open.values()].find((one) => one.requests === 0 && (!isTooMany || one.address === address));
      if (idle === undefined) {
        socket.destroy();
        return false;
      }
      this.close(idle);
    }
    const key = keyOf(socket);
    const connection = { socket, address, requests: 0 };
    this.open.set(key, connection);
    this.counts.set(address, this.countOf(address) + 1);
    socket.once('close', () => this.forget(key, connection));
    return true;
  }

  /** A request begins on a connection, or within TLS on it. Returns what to call when it is answered. */
  begin(socket: Socket): () => void {
    const key = keyOf(socket);
    const connection = this.open.get(key);
    if (connection === undefined) return () => undefined;
    connection.requests++;
    return () => {
      connection.requests--;
      if (this.open.get(key) !== connection) return;
      this.open.delete(key);
      this.open.set(key, connection);
    };
  }

  closeAll(): void {
    for (const { socket } of this.open.values()) socket.destroy();
  }

  private close(connection: Connection): void {
    this.forget(keyOf(connection.socket), connection);
    connection.socket.destroy();
  }

  private forget(key: string, connection: Connection): void {
    if (this.open.get(key) !== connection) return;
    this.open.delete(key);
    const left = this.countOf(connection.address) - 1;
    if (left > 0) this.counts.set(connection.address, left);
    else this.counts.delete(connection.address);
  }

  private countOf(address: string): number {
    return this.counts.get(address) ?? 0;
  }
}

/** The same for a connection and for TLS within it. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
