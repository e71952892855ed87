import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import type { LogFile } from '../../storage/log-files.ts';
import type { Flushed, RecordKind, StoredEvent, StoredPerson, StoredVersion } from '../store.ts';
import {
  DamagedVersionError,
  DatabaseBusyError,
  MemoryLimitError,
  MissingDuckdbError,
  NewerVersionError,
  StoreError,
} from '../store-error.ts';
import type { VersionSources } from '../store-snapshot.ts';

/** The methods of a worker: their arguments, and the type of the values that they send. */
export interface Methods {
  flush: { args: [StoredVersion, RecordKind, readonly LogFile[]]; value: never };
  optimize: { args: [StoredVersion]; value: boolean };
  drop: { args: [StoredVersion]; value: never };
  close: { args: []; value: never };
  /** Shows that the process works. */
  ping: { args: []; value: never };
  readFlushed: { args: [StoredVersion]; value: Flushed };
  verify: { args: [StoredVersion]; value: never };
  events: { args: [StoredVersion]; value: readonly StoredEvent[] };
  people: { args: [StoredVersion]; value: readonly StoredPerson[] };
  /** Opens versions for queries until the call is cancelled. */
  read: { args: [readonly StoredVersion[]]; value: readonly VersionSources[] };
  /** Queries the versions of the `read` call with this number. Each value is a JSON array of rows. */
  query: { args: [read: number, sql: string, parameters: readonly SqlValue[]]; value: string };
}

export type Method = keyof Methods;

/** A call of a method, identified by a number. */
export type BeginCall = {
  [M in Method]: { readonly call: number; readonly method: M; readonly args: Methods[M]['args'] };
}[Method];

/**
 * A message to a worker: begins a call, acknowledges that the caller consumed {@link VALUES_PER_ACK} more values, or
 * cancels a call.
 */
export type ToWorker = BeginCall | { readonly call: number; readonly step: 'ack' | 'cancel' };

/**
 * A message from a worker: it is ready or failed to start; or a value of a call, its end, or its last value with the
 * end.
 */
export type FromWorker =
  | { readonly ready: true }
  | { readonly failed: SentError }
  | { readonly call: number; readonly value?: unknown; readonly end?: { readonly failure?: SentError } };

/** The number of values of a call that a worker sends before it waits for an acknowledgement. */
export const WINDOW_VALUES = 4;

/** The number of values per acknowledgement. Most calls have fewer, and each message wakes a process. */
export const VALUES_PER_ACK = 2;

/** The classes of errors that the caller distinguishes, subclasses first. */
const KINDS = {
  'memory limit': MemoryLimitError,
  busy: DatabaseBusyError,
  'missing duckdb': MissingDuckdbError,
  store: StoreError,
  other: Error,
} as const;

/** An error as part of a message. */
export interface SentError {
  readonly kind: keyof typeof KINDS;
  /** The arguments of a {@link DamagedVersionError}. */
  readonly damaged?: readonly [versionId: string, damage: string, details: string];
  /** Whether it is a {@link NewerVersionError}. */
  readonly isNewer?: boolean;
  readonly message: string;
  readonly stack: string | undefined;
}

/** Converts an error to its form in messages. */
export function sendError(error: unknown): SentError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const kinds = Object.keys(KINDS) as SentError['kind'][];
  const kind = kinds.find((kind) => error instanceof KINDS[kind]) ?? 'other';
  const damaged = error instanceof DamagedVersionError && ([error.versionId, error.damage, error.details] as const);
  return { kind, message, stack, ...(damaged && { damaged, isNewer: error instanceof NewerVersionError }) };
}

/** Returns the error of a message, with its original class. */
export function receiveError({ kind, message, stack, damaged, isNewer }: SentError): Error {
  if (damaged !== undefined) return new (isNewer ? NewerVersionError : DamagedVersionError)(...damaged);
  return Object.assign(new KINDS[kind](message), { stack });
}
