import { check } from '../../api/expressions.ts';
import { isJsonObject } from '../../lang/util/json.ts';
import { ACCESS_SCOPES, type AccessScope } from './access.ts';
import { isKeptSecret, isTime, type KeptSecret } from './secrets.ts';

/** A key of a project as its file holds it: a secret with a name that opens a part. */
export interface Key extends KeptSecret {
  readonly name: string;
  readonly scopes: readonly AccessScope[];
  readonly datasetId?: string;
  /** A filter of the events and people that its queries read. */
  readonly where?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
}

/** Whether JSON is what the file of a key of this name holds. */
export function isKey(json: unknown, name: string): json is Key {
  if (!isJsonObject(json) || json.name !== name || !isKeptSecret(json)) return false;
  const { scopes, datasetId, where, expiresAt } = json;
  const areScopes = Array.isArray(scopes) && scopes.every((scope) => ACCESS_SCOPES.includes(scope));
  const areTexts = [datasetId, where].every((text) => text === undefined || typeof text === 'string');
  return areScopes && areTexts && (expiresAt === undefined || isTime(expiresAt));
}

/** Returns the problem of a filter of a key, or nothing. */
export function checkKeyFilter(where: string, scopes: readonly AccessScope[]): string | undefined {
  if (!scopes.includes('query')) return 'only a key for queries has a filter';
  const [problem] = check(where, { use: 'where' }).diagnostics.filter(({ severity }) => severity === 'error');
  return problem && `the filter is wrong: ${problem.message}`;
}
