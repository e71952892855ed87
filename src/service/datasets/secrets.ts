import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../lang/util/json.ts';

/** A secret as a file holds it: as a hash or, where requests are signed with it, as it is. */
interface Kept {
  readonly secret?: string;
  readonly secretHash?: string;
}

/** The secret of a project, a dataset or a key. None of it is left after it was revoked. */
export interface KeptSecret extends Kept {
  /** The one before, for those who do not have the new one yet. */
  readonly previous?: Kept & {
    /** ISO 8601. */
    readonly until: string;
  };
}

/** A secret by its hash, and until when it holds, in milliseconds since 1970. */
export interface HeldSecret {
  readonly hash: string;
  readonly until: number;
}

/** Whether JSON holds a secret as a file does, or none. */
export function isKeptSecret(json: JsonObject): boolean {
  const { previous } = json;
  if (!isKept(json)) return false;
  return previous === undefined || (isJsonObject(previous) && isKept(previous) && isTime(previous.until));
}

/** Returns how a file holds a new secret. */
export function keepSecret(secret: string, isSigning = false): KeptSecret {
  return isSigning ? { secret } : { secretHash: hashSecret(secret) };
}

/** Returns a new secret together with the one that it replaces, which holds for some more milliseconds. */
export function replaceSecret(old: KeptSecret, next: KeptSecret, graceMs: number): KeptSecret {
  if (graceMs === 0) return next;
  return { ...next, previous: { ...ownOf(old), until: new Date(Date.now() + graceMs).toISOString() } };
}

/** Returns the same secrets as hashes only. */
export function hashKeptSecret(kept: KeptSecret): KeptSecret {
  const { previous } = kept;
  return {
    ...hashedOf(kept),
    ...(previous && { previous: { ...hashedOf(previous), until: previous.until } }),
  };
}

/** Returns the secrets that hold. */
export function listSecretHashes(kept: KeptSecret): HeldSecret[] {
  return parts(kept).flatMap(([{ secret, secretHash }, until]) => {
    const hash = secret === undefined ? secretHash : hashSecret(secret);
    return hash === undefined ? [] : [{ hash, until }];
  });
}

/** Returns the secrets that requests are signed with at a time, in milliseconds since 1970. */
export function listSigningSecrets(kept: KeptSecret, now: number): string[] {
  return parts(kept).flatMap(([{ secret }, until]) => (secret === undefined || until <= now ? [] : [secret]));
}

function isKept({ secret, secretHash }: JsonObject): boolean {
  if (secret !== undefined && (typeof secret !== 'string' || secret === '')) return false;
  return secretHash === undefined || (typeof secretHash === 'string' && /^[0-9a-f]{64}$/.test(secretHash));
}

/** Whether JSON is a time in ISO 8601. */
export function isTime(json: unknown): boolean {
  return typeof json === 'string' && !Number.isNaN(Date.parse(json));
}

function parts(kept: KeptSecret): [kept: Kept, until: number][] {
  const { previous } = kept;
  const before: [Kept, number][] = previous === undefined ? [] : [[previous, Date.parse(previous.until)]];
  return [[kept, Number.POSITIVE_INFINITY], ...before];
}

function ownOf({ secret, secretHash }: Kept): Kept {
  return { ...(secret !== undefined && { secret }), ...(secretHash !== undefined && { secretHash }) };
}

function hashedOf({ secret, secretHash }: Kept): Kept {
  return ownOf(secret === undefined ? { ...(secretHash !== undefined && { secretHash }) } : keepSecret(secret));
}

/** A new token or secret: 128 random bits, as 32 letters and digits. */
export function makeSecret(): string {
  return randomBytes(16).toString('hex');
}

/**
 * What is kept of a secret. A plain SHA-256 is enough: slow hashes and salts protect what people think up and use twice, while
 * nobody can try 2^128 random secrets, however fast.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether two hashes are the same. How long it takes tells nothing of them. */
export function areEqualHashes(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
