import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { makeFolder, replaceFile } from '../../storage/files.ts';

/** A certificate and its private key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** An unusable certificate. The message names the file and the reason. */
export class CertificateError extends Error {}

const VALID_YEARS = 10;

/** The certificate of a data folder, and its key. */
const OWN_FILES = ['certificate.pem', 'key.pem'];

/** The names of a server on its own machine. */
const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1'];

/** Hosts that mean all addresses of the machine. */
const WILDCARDS = ['0.0.0.0', '::'];

/**
 * Reads a certificate and its key from PEM files.
 *
 * @throws {CertificateError} if a file cannot be read, or the two are not a certificate and its key
 */
export async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const [cert, key] = await Promise.all([readPem(certFile), readPem(keyFile)]);
  try {
    // `createSecureContext` ignores empty strings, so each part is checked first.
    new X509Certificate(cert);
    createPrivateKey(key);
    createSecureContext({ cert, key });
  } catch (error) {
    throw new CertificateError(
      `${certFile} and ${keyFile} are not a certificate and its key: ${(error as Error).message}`,
    );
  }
  return { cert, key };
}

/**
 * Returns a function that reads both files again and calls `use` if the certificate changed. It throws a
 * {@link CertificateError} like {@link readCertificate}.
 */
export function certificateRenewal(
  certFile: string,
  keyFile: string,
  first: Certificate,
  use: (renewed: Certificate) => void,
): () => Promise<void> {
  let last = first;
  return async () => {
    const current = await readCertificate(certFile, keyFile);
    if (current.cert === last.cert && current.key === last.key) return;
    use(current);
    last = current;
  };
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CertificateError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Returns the self-signed certificate of a server, in `certificate.pem` and `key.pem` of its data folder. Creates it if
 * it is missing or expired.
 *
 * @throws {CertificateError} if the files exist but are unusable
 */
export async function loadOwnCertificate(folder: string, host: string, now = new Date()): Promise<Certificate> {
  const [certFile, keyFile] = OWN_FILES.map((name) => join(folder, name)) as [string, string];
  if (await hasOwnCertificate(folder)) {
    const stored = await readCertificate(certFile, keyFile);
    if (now < new Date(new X509Certificate(stored.cert).validTo)) return stored;
  }
  const created = await createCertificate(host, now);
  await makeFolder(folder);
  await replaceFile(keyFile, created.key);
  await replaceFile(certFile, created.cert);
  // Clients that run as other users need it to trust the server.
  await chmod(certFile, 0o644);
  return created;
}

/** Returns whether a data folder has a certificate, usable or not. */
export async function hasOwnCertificate(folder: string): Promise<boolean> {
  const missing = await Promise.all(OWN_FILES.map((name) => isMissing(join(folder, name))));
  return !missing.some(Boolean);
}

async function isMissing(file: string): Promise<boolean> {
  return readFile(file).then(
    () => false,
    ({ code }) => code === 'ENOENT',
  );
}

async function createCertificate(host: string, now: Date): Promise<Certificate> {
  // Loaded on demand: the module is large and needed once in ten years.
  const { default: selfsigned } = await import('selfsigned');
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + VALID_YEARS);
  const names = new Set(WILDCARDS.includes(host) ? LOCAL_NAMES : [...LOCAL_NAMES, host]);
  const altNames = [...names].map((name) => {
    return isIP(name) === 0 ? ({ type: 2, value: name } as const) : ({ type: 7, ip: name } as const);
  });
  const { cert, private: key } = await selfsigned.generate([{ name: 'commonName', value: 'onwhere' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: now,
    notAfterDate: end,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  });
  return { cert, key };
}
