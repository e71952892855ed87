import { createHash } from 'node:crypto';
import { getCurrentTime } from '../../../base/current-time.ts';
import { getOwnValue, type JsonObject } from '../../../base/json.ts';
import { escapeUnprintable } from '../../../base/strings.ts';
import type { Access } from '../../../queries/access.ts';
import { apiErrors } from '../../../queries/endpoints/api-errors.ts';
import type { Endpoint } from '../../../queries/endpoints/endpoint.ts';
import { listNames } from '../../../queries/endpoints/parameter.ts';
import { HttpError } from '../../../queries/http-error.ts';
import { areEqualHashes } from '../../datasets/catalog/secrets.ts';
import type { Datasets } from '../../datasets/datasets.ts';
import { CHALLENGE } from './access.ts';

/** Parameters that a signature does not cover. */
const UNSIGNED = ['sig', 'callback'];

/** Parameters that every signed request may have, besides those of its endpoint. */
const SIGNATURE_PARAMETERS = ['api_key', 'expire', ...UNSIGNED];

/** Reports whether a request has a deprecated signature instead of a secret. */
export function isSigned(parameters: JsonObject): boolean {
  return Object.hasOwn(parameters, 'sig') || Object.hasOwn(parameters, 'api_key');
}

/**
 * Returns the access that the signature of a request grants, to the project with the token `api_key`.
 *
 * @throws {HttpError} 400 if a parameter is missing or malformed, 401 if the signature is invalid, expired or refused
 */
export async function grantSignedAccess(
  datasets: Pick<Datasets, 'signersOf'>,
  parameters: JsonObject,
  now = getCurrentTime(),
): Promise<Access> {
  const [token, expire, signature] = ['api_key', 'expire', 'sig'].map((name) => {
    const value = getOwnValue(parameters, name);
    if (value === undefined) throw apiErrors.missing(name);
    return toText(value);
  }) as [string, string, string];
  if (!/^\d+$/.test(expire)) throw apiErrors.invalid('expire', 'Expected Unix seconds.');
  const signers = await datasets.signersOf(token);
  if (signers?.secrets.length === 0)
    throw new HttpError(401, 'The project does not accept signatures: send a secret', CHALLENGE);
  if (
    signers === undefined ||
    !signers.secrets.some((secret) => isSameSignature(signature, signParameters(parameters, secret)))
  )
    throw new HttpError(401, 'Invalid signature: it does not match the token and secret of a project', CHALLENGE);
  if (Number(expire) <= now) throw new HttpError(401, 'The signature has expired: `expire` is in the past', CHALLENGE);
  return { project: signers.project, key: 'signature', permissions: ['query'], isSigned: true };
}

/**
 * Refuses parameters that the endpoint does not have. A signature joins names and values without separators, so an
 * attacker could move a filter into the name of an unknown parameter. It does not cover the path either.
 *
 * @throws {HttpError} 400 for an unknown parameter
 */
export function assertSignable({ parameters: declared }: Endpoint, parameters: JsonObject): void {
  const known = new Set([...SIGNATURE_PARAMETERS, ...listNames(declared)]);
  const unknown = Object.keys(parameters).find((name) => !known.has(name));
  if (unknown !== undefined)
    throw apiErrors.invalid(
      escapeUnprintable(unknown.slice(0, 50)),
      'Signed requests may only have parameters of their endpoint.',
    );
}

/** Returns the signature of parameters: an MD5 in hexadecimal over all of them except `sig` and `callback`. */
export function signParameters(parameters: JsonObject, secret: string): string {
  const signed = Object.keys(parameters)
    .filter((name) => !UNSIGNED.includes(name))
    .sort()
    .map((name) => `${name}=${toText(parameters[name])}`);
  return createHash('md5')
    .update(signed.join('') + secret)
    .digest('hex');
}

function isSameSignature(given: string, expected: string): boolean {
  return given.length === expected.length && /^[\da-f]+$/i.test(given) && areEqualHashes(given.toLowerCase(), expected);
}

/** Serializes values other than strings, which a JSON body may have. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
