/** What clients can ask of a server at most. */
export interface ServerLimits {
  /** Of one body. */
  readonly bodyBytes: number;
  /** Of the bodies of all requests that are under way. */
  readonly bodyBytesAtOnce: number;
  /** Of the body of one query, and of all that are under way. */
  readonly queryBytes: number;
  readonly queryBytesAtOnce: number;
  /** The body of a query that may be signed in its body: its project is not known yet. Then all such bodies at once. */
  readonly unknownBytes: number;
  readonly unknownBytesAtOnce: number;
  /** For which a body may come as slowly as it likes, and how fast it must come from then on. */
  readonly slowMs: number;
  readonly leastBytesPerSecond: number;
  /** Of the answers that are on their way: in memory, and in files. */
  readonly answerBytesAtOnce: number;
  readonly answerFileBytesAtOnce: number;
  /** Of the headers of a request, with its path and query. */
  readonly headerBytes: number;
  readonly connections: number;
  /** From one address; there is no such limit behind a proxy, which all connections come from. */
  readonly connectionsPerAddress: number;
  /** Within which a connection has agreed on TLS, and then sends the headers of a request. */
  readonly headersMs: number;
  /** Within which a request is there, body and all. */
  readonly requestMs: number;
  /** For which a connection is kept between requests. */
  readonly idleMs: number;
  /** For which the rest of a body that nobody wants is thrown away, so that the client comes to read why. */
  readonly discardMs: number;
  /** For which requests that are under way may go on when the server stops. */
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
  leastBytesPerSecond: 1_000,
  answerBytesAtOnce: 128 * MIB,
  answerFileBytesAtOnce: 4096 * MIB,
  // A query string of 128 KiB, and headers as most servers take them.
  headerBytes: 144 * 1024,
  connections: 2000,
  connectionsPerAddress: 500,
  headersMs: 10_000,
  requestMs: 120_000,
  idleMs: 75_000,
  discardMs: 5_000,
  stopMs: 10_000,
};
