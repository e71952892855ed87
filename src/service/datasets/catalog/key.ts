import { check } from '../../../api/expressions.ts';
import { isJsonObject } from '../../../base/json.ts';
import { PERMISSIONS, type Permission } from '../../../queries/access.ts';
import { isKeptSecret, isTime, type KeptSecret } from './secrets.ts';

/** A key as stored in its file: a named secret with limited access to a project. */
export interface Key extends KeptSecret {
  readonly name: string;
  /** Set for a service account: its name is a user name, and its secret the password. */
  readonly isServiceAccount?: true;
  readonly scopes: readonly Permission[];
  readonly datasetId?: string;
  /** Limits its queries to the events and people that this filter selects. */
  readonly where?: string;
  /** In ISO 8601. */
  readonly expiresAt?: string;
}

/** Returns whether `json` is valid content for the file of the key `name`. */
export function isKey(json: unknown, name: string): json is Key {
  if (!isJsonObject(json) || json.name !== name || !isKeptSecret(json)) return false;
  const { isServiceAccount, scopes, datasetId, where, expiresAt } = json;
  if (isServiceAccount !== undefined && isServiceAccount !== true) return false;
  const areScopes = Array.isArray(scopes) && scopes.every((scope) => PERMISSIONS.includes(scope));
  const areStrings = [datasetId, where].every((text) => text === undefined || typeof text === 'string');
  return areScopes && areStrings && (expiresAt === undefined || isTime(expiresAt));
}

/** Returns what a client sends to use a key: its secret or, for a service account, the user name and the password. */
export function toCredential({ name, isServiceAccount }: Partial<Key>, secret: string): string {
  return isServiceAccount ? `${name}:${secret}` : secret;
}

/** Describes the problem with the filter of a key; undefined if it is valid. */
export function checkKeyFilter(where: string, scopes: readonly Permission[]): string | undefined {
  if (!scopes.includes('query')) return 'only a key for queries has a filter';
  const [problem] = check(where, { use: 'where' }).diagnostics.filter(({ severity }) => severity === 'error');
  return problem && `the filter is wrong: ${problem.message}`;
}
