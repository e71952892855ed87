import { createHash } from 'node:crypto';
import { getCurrentTime } from '../../lang/util/current-time.ts';
import { getOwnValue, type JsonObject } from '../../lang/util/json.ts';
import { escapeUnprintable } from '../../lang/util/strings.ts';
import type { Access } from '../datasets/access.ts';
import type { Datasets } from '../datasets/datasets.ts';
import { areEqualHashes } from '../datasets/secrets.ts';
import { CHALLENGE } from './access.ts';
import { apiErrors } from './endpoints/api-errors.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import { listNames } from './endpoints/parameter.ts';
import { HttpError } from './http-error.ts';

/** What no signature is over. */
const UNSIGNED = ['sig', 'callback'];

/** The parameters of a signed request besides those of its endpoint. */
const OF_SIGNATURES = ['api_key', 'expire', ...UNSIGNED];

/** Whether parameters bring a signature, by the deprecated method, instead of a secret. */
export function isSigned(parameters: JsonObject): boolean {
  return Object.hasOwn(parameters, 'sig') || Object.hasOwn(parameters, 'api_key');
}

/**
 * What the signature of a request opens: the project whose token is its `api_key`.
 *
 * @throws {HttpError} where it opens nothing.
 */
export async function grantSignedAccess(
  datasets: Pick<Datasets, 'signersOf'>,
  parameters: JsonObject,
  now = getCurrentTime(),
): Promise<Access> {
  const [token, expire, signature] = ['api_key', 'expire', 'sig'].map((name) => {
    const value = getOwnValue(parameters, name);
    if (value === undefined) throw apiErrors.missing(name);
    return textOf(value);
  }) as [string, string, string];
  if (!/^\d+$/.test(expire)) throw apiErrors.invalid('expire', 'It takes Unix seconds.');
  const signers = await datasets.signersOf(token);
  if (signers?.secrets.length === 0)
    throw new HttpError(401, 'The project refuses signatures: send a secret', CHALLENGE);
  if (signers === undefined || !signers.secrets.some((secret) => isSame(signature, signParameters(parameters, secret))))
    throw new HttpError(401, 'The signature opens no project: it is not made with its token and its secret', CHALLENGE);
  if (Number(expire) <= now) throw new HttpError(401, 'The signature has expired: its `expire` is over', CHALLENGE);
  return { project: signers.project, key: 'signature', scopes: ['query'], isSigned: true };
}

/**
 * Fails for what a signature does not protect. It is over the names and values without anything between them, so that a filter can be moved
 * into a name that nobody reads; and it is not over the path.
 *
 * @throws {HttpError}
 */
export function assertSignable({ parameters }: Endpoint, asked: JsonObject): void {
  const known = new Set([...OF_SIGNATURES, ...listNames(parameters)]);
  const unknown = Object.keys(asked).find((name) => !known.has(name));
  if (unknown !== undefined)
    throw apiErrors.invalid(
      escapeUnprintable(unknown.slice(0, 50)),
      'Signed requests take only the parameters of their endpoint.',
    );
}

/** The signature of parameters, which all but itself and the callback go into as they were received. */
export function signParameters(parameters: JsonObject, secret: string): string {
  const signed = Object.keys(parameters)
    .filter((name) => !UNSIGNED.includes(name))
    .sort()
    .map((name) => `${name}=${textOf(parameters[name])}`);
  return createHash('md5')
    .update(signed.join('') + secret)
    .digest('hex');
}

function isSame(given: string, made: string): boolean {
  return given.length === made.length && /^[\da-f]+$/i.test(given) && areEqualHashes(given.toLowerCase(), made);
}

/** In a JSON body, not all are texts. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
