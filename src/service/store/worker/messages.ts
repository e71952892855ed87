import type { SqlValue } from '../../../lang/engines/sql/sql.ts';
import type { LogSegment } from '../../storage/segment-folder.ts';
import type { Flushed, RecordKind, StoredEvent, StoredPerson, StoredVersion } from '../store.ts';
import { DamagedVersionError, MemoryLimitError, MissingDuckdbError, StoreError } from '../store-error.ts';
import type { VersionSources } from '../store-snapshot.ts';

/** What a worker does: the arguments of each method, and the values that it sends one after the other. */
export interface Methods {
  flush: { args: [StoredVersion, RecordKind, readonly LogSegment[]]; value: never };
  drop: { args: [StoredVersion]; value: never };
  close: { args: []; value: never };
  readFlushed: { args: [StoredVersion]; value: Flushed };
  verify: { args: [StoredVersion]; value: never };
  events: { args: [StoredVersion]; value: readonly StoredEvent[] };
  people: { args: [StoredVersion]; value: readonly StoredPerson[] };
  /** Lends versions until the call is cancelled. */
  read: { args: [readonly StoredVersion[]]; value: readonly VersionSources[] };
  /** Queries what the call `read` with that number lends. Each value is a JSON array of rows. */
  query: { args: [read: number, sql: string, parameters: readonly SqlValue[]]; value: string };
}

export type Method = keyof Methods;

/** A call of a method. Calls are told apart by their numbers. */
export type BeginCall = {
  [M in Method]: { readonly call: number; readonly method: M; readonly args: Methods[M]['args'] };
}[Method];

/**
 * What a worker is told: to begin a call, that the caller has taken {@link VALUES_TOLD} more of its values, or that it
 * wants no more.
 */
export type ToWorker = BeginCall | { readonly call: number; readonly step: 'taken' | 'cancel' };

/**
 * What a worker tells: that it is ready, or why it cannot be; a value of a call, its end, or its last value with the
 * end.
 */
export type FromWorker =
  | { readonly ready: true }
  | { readonly failed: SentError }
  | { readonly call: number; readonly value?: unknown; readonly end?: { readonly failure?: SentError } };

/** How many values of a call a worker sends before the first of them is taken. */
export const VALUES_AHEAD = 4;

/** How many are taken before it is told so: most calls have fewer, and each message wakes a process. */
export const VALUES_TOLD = 2;

/** The classes of errors that are told apart, the more special first. */
const KINDS = {
  'memory limit': MemoryLimitError,
  'missing duckdb': MissingDuckdbError,
  store: StoreError,
  other: Error,
} as const;

/** An error as a message holds it. */
export interface SentError {
  readonly kind: keyof typeof KINDS;
  /** Which version is damaged, and how. */
  readonly damaged?: readonly [versionId: string, damage: string, details: string];
  readonly message: string;
  readonly stack: string | undefined;
}

/** Puts an error into a message. */
export function sendError(error: unknown): SentError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const kinds = Object.keys(KINDS) as SentError['kind'][];
  const kind = kinds.find((one) => error instanceof KINDS[one]) ?? 'other';
  const damaged = error instanceof DamagedVersionError && ([error.versionId, error.damage, error.details] as const);
  return { kind, message, stack, ...(damaged && { damaged }) };
}

/** The error of a message, of the class that it had. */
export function receiveError({ kind, message, stack, damaged }: SentError): Error {
  if (damaged !== undefined) return new DamagedVersionError(...damaged);
  return Object.assign(new KINDS[kind](message), { stack });
}
