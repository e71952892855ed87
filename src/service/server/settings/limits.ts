/** The limits of a server. */
export interface ServerLimits {
  /** Maximum size of a body. */
  readonly bodyBytes: number;
  /** Maximum total size of the bodies of all active requests. */
  readonly bodyBytesAtOnce: number;
  /** Maximum size of the body of a query, and of all active queries. */
  readonly queryBytes: number;
  readonly queryBytesAtOnce: number;
  /** The same for queries without a secret, whose body may contain a signature: their project is not known yet. */
  readonly unknownBytes: number;
  readonly unknownBytesAtOnce: number;
  /** Time after which a body must have arrived at `minBytesPerSecond` on average. */
  readonly slowMs: number;
  readonly minBytesPerSecond: number;
  /** Maximum total size of the responses being sent, from memory and from files. */
  readonly answerBytesAtOnce: number;
  readonly answerFileBytesAtOnce: number;
  /** Maximum size of the headers of a request, including its path and query. */
  readonly headerBytes: number;
  readonly connections: number;
  /** Maximum from one IP address. Not applied behind a proxy, which opens all connections. */
  readonly connectionsPerAddress: number;
  /** Time limit of the TLS handshake, and of the headers of a request. */
  readonly headersMs: number;
  /** Time limit of receiving a request with its body. */
  readonly requestMs: number;
  /** Time that a connection stays open between requests. */
  readonly idleMs: number;
  /** Time for which an unread body is discarded, so that the client reads the response. */
  readonly discardMs: number;
  /** Time that active requests have to finish when the server stops. */
  readonly stopMs: number;
}

const MIB = 1024 * 1024;

export const LIMITS: ServerLimits = {
  bodyBytes: 32 * MIB,
  bodyBytesAtOnce: 256 * MIB,
  queryBytes: MIB,
  queryBytesAtOnce: 32 * MIB,
  unknownBytes: 256 * 1024,
  unknownBytesAtOnce: 16 * MIB,
  slowMs: 5_000,
  minBytesPerSecond: 1_000,
  answerBytesAtOnce: 128 * MIB,
  answerFileBytesAtOnce: 4096 * MIB,
  // A query string of 128 KiB, and 16 KiB of headers as in most servers.
  headerBytes: 144 * 1024,
  connections: 2000,
  connectionsPerAddress: 500,
  headersMs: 10_000,
  requestMs: 120_000,
  idleMs: 75_000,
  discardMs: 5_000,
  stopMs: 10_000,
};
