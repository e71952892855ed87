import type { Access } from '../datasets/access.ts';
import type { Datasets } from '../datasets/datasets.ts';
import { HttpError } from './http-error.ts';

/** The headers of a response that refuses a secret. */
export const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="onwhere", charset="UTF-8"' };

/**
 * Returns the access that the secret in an `Authorization` header grants.
 *
 * @throws {HttpError} 401 if the header is missing or malformed, or the secret is unknown
 */
export async function grantAccess(
  datasets: Pick<Datasets, 'accessOf'>,
  authorization: string | undefined,
): Promise<Access> {
  if (authorization === undefined) {
    const message =
      'The secret is missing: send it as the user name of HTTP Basic authentication, with an empty password';
    throw new HttpError(401, message, CHALLENGE);
  }
  const secret = parseBasicSecret(authorization);
  if (secret === undefined) {
    const message =
      'Invalid Authorization header: send the secret as the user name of HTTP Basic authentication, with an empty password';
    throw new HttpError(401, message, CHALLENGE);
  }
  const access = await datasets.accessOf(secret);
  if (access === undefined) throw new HttpError(401, 'Unknown secret: no project or dataset has it', CHALLENGE);
  return access;
}

/** Returns the user name of Basic credentials with an empty password, or undefined. */
function parseBasicSecret(authorization: string): string | undefined {
  const [, encoded] = /^basic +([a-z0-9+/_-]+=*) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [, secret] = /^([^:]+):$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return secret;
}
