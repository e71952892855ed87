import { isDeepStrictEqual } from 'node:util';
import type { Access } from '../../../queries/access.ts';
import { QueryError } from '../../../queries/errors.ts';
import type { PeopleSelection } from '../../../queries/people.ts';
import type { DatasetFilter } from '../../../queries/services.ts';

/** The identity of a session, which its requests must match. */
export interface SessionIdentity extends PeopleSelection {
  readonly token: string;
  readonly ownDatasetId: string | undefined;
  /** The filter of the caller's key, in addition to the query's. */
  readonly ownWhere: string | undefined;
  readonly narrowing: DatasetFilter;
}

/** Returns whether a request with this access may use a session. */
export function isSameAccess({ project, datasetId, where }: Access, identity: SessionIdentity): boolean {
  return project.token === identity.token && datasetId === identity.ownDatasetId && where === identity.ownWhere;
}

/** @throws {QueryError} if a parameter is given and differs from the session's */
export function assertSame<Value>(parameter: string, given: Value | undefined, own: Value | undefined): void {
  if (given === undefined || isDeepStrictEqual(given, own)) return;
  throw new QueryError('parameter', `The session is for another ${parameter}. Ask for the first page again.`, [
    parameter,
  ]);
}

/** Creates the error for a session that is missing or does not exist. */
export function createSessionError(message: string): QueryError {
  return new QueryError('parameter', message, ['session_id']);
}
