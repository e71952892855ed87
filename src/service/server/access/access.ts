import type { Access } from '../../../queries/access.ts';
import { HttpError } from '../../../queries/http-error.ts';
import type { Datasets } from '../../datasets/datasets.ts';

/** The headers of a response that refuses a secret. */
export const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="onwhere", charset="UTF-8"' };

/**
 * Returns the access that an `Authorization` header grants: by a secret, or by the user name and password of a service
 * account.
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
  const { user, password } = parseBasic(authorization) ?? {};
  if (user === undefined) {
    const message =
      'Invalid Authorization header: send the secret as the user name of HTTP Basic authentication, with an empty password';
    throw new HttpError(401, message, CHALLENGE);
  }
  // A secret has no colon, so it cannot be taken for a user name with a password.
  const access = await datasets.accessOf(password === '' ? user : `${user}:${password}`);
  if (access !== undefined) return access;
  const unknown = password === '' ? 'secret: no project or dataset has it' : 'user name or wrong password';
  throw new HttpError(401, `Unknown ${unknown}`, CHALLENGE);
}

/** Returns the user name and the password of Basic credentials, or undefined. */
export function parseBasic(authorization: string): { readonly user?: string; readonly password?: string } | undefined {
  const [, encoded] = /^basic +([a-z0-9+/_-]+=*) *$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  return /^(?<user>[^:]+):(?<password>.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.groups;
}
