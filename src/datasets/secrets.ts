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

/** Whether one of the hashes is the secret's. How long it takes tells nothing of the hashes, nor which one it is. */
export function matchesHash(secret: string, hashes: readonly string[]): boolean {
  const presented = Buffer.from(hashSecret(secret));
  // `filter`, unlike `some`, compares them all.
  return hashes.filter((hash) => timingSafeEqual(presented, Buffer.from(hash))).length > 0;
}
