import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';

/** A stored secret: its hash or, if it signs requests, its clear text. */
interface Kept {
  readonly secret?: string;
  readonly secretHash?: string;
}

/** The stored secret of a project, a dataset or a key; empty after it was revoked. */
export interface KeptSecret extends Kept {
  /** The previous secret, valid during the grace period. */
  readonly previous?: Kept & {
    /** ISO 8601. */
    readonly until: string;
  };
}

/** The hash of a valid secret and its expiry, in milliseconds since 1970. */
export interface HeldSecret {
  readonly hash: string;
  readonly until: number;
}

/** Returns whether `json` has valid secret fields, or none. */
export function isKeptSecret(json: JsonObject): boolean {
  const { previous } = json;
  if (!isKept(json)) return false;
  return previous === undefined || (isJsonObject(previous) && isKept(previous) && isTime(previous.until));
}

/** Returns the stored form of a new secret. */
export function keepSecret(secret: string, isSigning = false): KeptSecret {
  return isSigning ? { secret } : { secretHash: hashSecret(secret) };
}

/** Returns the new secret together with the old one, which stays valid for `graceMs` milliseconds. */
export function replaceSecret(old: KeptSecret, next: KeptSecret, graceMs: number): KeptSecret {
  if (graceMs === 0) return next;
  return { ...next, previous: { ...pickSecret(old), until: new Date(Date.now() + graceMs).toISOString() } };
}

/** Returns the same secrets as hashes only. */
export function hashKeptSecret(kept: KeptSecret): KeptSecret {
  const { previous } = kept;
  return {
    ...pickHash(kept),
    ...(previous && { previous: { ...pickHash(previous), until: previous.until } }),
  };
}

/** Returns the hashes of the stored secrets and when they expire. */
export function listSecretHashes(kept: KeptSecret): HeldSecret[] {
  return listParts(kept).flatMap(([{ secret, secretHash }, until]) => {
    const hash = secret === undefined ? secretHash : hashSecret(secret);
    return hash === undefined ? [] : [{ hash, until }];
  });
}

/** Returns the secrets that requests may be signed with at `now`, in milliseconds since 1970. */
export function listSigningSecrets(kept: KeptSecret, now: number): string[] {
  return listParts(kept).flatMap(([{ secret }, until]) => (secret === undefined || until <= now ? [] : [secret]));
}

function isKept({ secret, secretHash }: JsonObject): boolean {
  if (secret !== undefined && (typeof secret !== 'string' || secret === '')) return false;
  return secretHash === undefined || (typeof secretHash === 'string' && /^[0-9a-f]{64}$/.test(secretHash));
}

/** Returns whether `json` is a time in ISO 8601. */
export function isTime(json: unknown): boolean {
  return typeof json === 'string' && !Number.isNaN(Date.parse(json));
}

function listParts(kept: KeptSecret): [kept: Kept, until: number][] {
  const { previous } = kept;
  const before: [Kept, number][] = previous === undefined ? [] : [[previous, Date.parse(previous.until)]];
  return [[kept, Number.POSITIVE_INFINITY], ...before];
}

function pickSecret({ secret, secretHash }: Kept): Kept {
  return { ...(secret !== undefined && { secret }), ...(secretHash !== undefined && { secretHash }) };
}

function pickHash({ secret, secretHash }: Kept): Kept {
  return pickSecret(secret === undefined ? { ...(secretHash !== undefined && { secretHash }) } : keepSecret(secret));
}

/** Returns a new token or secret: 128 random bits as 32 hexadecimal digits. */
export function makeSecret(): string {
  return randomBytes(16).toString('hex');
}

/**
 * Returns the hash of a secret. A plain SHA-256 is enough: slow hashes and salts protect passwords that people choose
 * and reuse. No one can try 2^128 random secrets.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares two hashes in constant time. */
export function areEqualHashes(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
