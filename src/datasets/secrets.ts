import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

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
