import type { Access } from '../datasets/access.ts';
import type { Datasets } from '../datasets/datasets.ts';
import { HttpError } from './http-error.ts';

/** What an answer asks for that refuses a secret. */
export const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="onwhere", charset="UTF-8"' };

/**
 * What the secret in an `Authorization` header opens.
 *
 * @throws {HttpError} where it opens nothing.
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
  const secret = basicSecret(authorization);
  if (secret === undefined) {
    const message =
      'The secret cannot be read: it is the user name of HTTP Basic authentication, and the password is empty';
    throw new HttpError(401, message, CHALLENGE);
  }
  const access = await datasets.accessOf(secret);
  if (access === undefined) throw new HttpError(401, 'The secret opens no project or dataset', CHALLENGE);
  return access;
}

/** The user name in an `Authorization` header, where the password is empty. */
function basicSecret(authorization: string): string | undefined {
  const [, encoded] = /^basic +([a-z0-9+/_-]+=*) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [, secret] = /^([^:]+):$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return secret;
}
