import type { Socket } from 'node:net';

/** The maximum number of connections. */
export interface ConnectionLimits {
  readonly connections: number;
  /** The maximum from one IP address. */
  readonly connectionsPerAddress: number;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** The number of active requests. */
  requests: number;
}

/** The open connections of a server. At the limit, a new connection replaces the one that has been idle longest. */
export class Connections {
  /** By remote address and port, least recently used first. */
  private readonly open = new Map<string, Connection>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly limits: ConnectionLimits) {}

  /** Adds a connection and returns true. Without room it closes the connection and returns false. */
  add(socket: Socket): boolean {
    const { remoteAddress: address = '' } = socket;
    const isAddressFull = this.getCount(address) >= this.limits.connectionsPerAddress;
    if (isAddressFull || this.open.size >= this.limits.connections) {
      const idle = [...this.open.values()].find(
        ({ requests, address: other }) => requests === 0 && (!isAddressFull || other === address),
      );
      if (idle === undefined) {
        socket.destroy();
        return false;
      }
      this.close(idle);
    }
    const key = getKey(socket);
    const connection = { socket, address, requests: 0 };
    this.open.set(key, connection);
    this.counts.set(address, this.getCount(address) + 1);
    socket.once('close', () => this.forget(key, connection));
    return true;
  }

  /** Counts a new request of a connection, with or without TLS. Returns the function to call when the request ends. */
  begin(socket: Socket): () => void {
    const key = getKey(socket);
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
    this.forget(getKey(connection.socket), connection);
    connection.socket.destroy();
  }

  private forget(key: string, connection: Connection): void {
    if (this.open.get(key) !== connection) return;
    this.open.delete(key);
    const left = this.getCount(connection.address) - 1;
    if (left > 0) this.counts.set(connection.address, left);
    else this.counts.delete(connection.address);
  }

  private getCount(address: string): number {
    return this.counts.get(address) ?? 0;
  }
}

/** Returns the key of a connection, which is the same for its TLS socket. */
function getKey({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
