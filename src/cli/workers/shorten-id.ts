import { createHash } from 'node:crypto';

/** The length of a digest, which no id has that is kept as it is. */
const DIGEST_LENGTH = 64;

/** Returns a short string that stands for the id of a user: the id itself or, if it is long, its digest. */
export function shortenId(id: string): string {
  return id.length < DIGEST_LENGTH ? id : createHash('sha256').update(id, 'utf16le').digest('hex');
}
