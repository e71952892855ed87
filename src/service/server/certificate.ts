import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { makeFolder, replaceFile } from '../storage/files.ts';

/** A certificate and its private key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate that cannot be used. The message says which and why. */
export class CertificateError extends Error {}

const YEARS = 10;

/** Names by which a server is reached from its own machine. */
const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1'];

/** Hosts that are no name of a machine, but all that it has. */
const WILDCARDS = ['0.0.0.0', '::'];

/**
 * The certificate in two files.
 *
 * @throws {CertificateError} where they cannot be read, or are no certificate and its key.
 */
export async function readCertificate(certFile: string, keyFile: string): Promise<Certificate> {
  const [cert, key] = await Promise.all([readPem(certFile), readPem(keyFile)]);
  try {
    // What is empty counts as not given where the two are put together.
    new X509Certificate(cert);
    createPrivateKey(key);
    createSecureContext({ cert, key });
  } catch (error) {
    throw new CertificateError(
      `${certFile} and ${keyFile} are no certificate and its key: ${(error as Error).message}`,
    );
  }
  return { cert, key };
}

/**
 * Returns what reads the two files again, and hands on a certificate that is another than the last.
 *
 * @throws {CertificateError} from what is returned, as {@link readCertificate}, whenever the two do not go together.
 */
export function certificateRenewal(
  certFile: string,
  keyFile: string,
  first: Certificate,
  use: (renewed: Certificate) => void,
): () => Promise<void> {
  let last = first;
  return async () => {
    const read = await readCertificate(certFile, keyFile);
    if (read.cert === last.cert && read.key === last.key) return;
    use(read);
    last = read;
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
 * The server's own certificate, kept as `certificate.pem` and `key.pem` in its data folder; made where there is none,
 * or it has expired.
 *
 * @throws {CertificateError} where the files are there but cannot be used.
 */
export async function loadOwnCertificate(folder: string, host: string, now = new Date()): Promise<Certificate> {
  const [certFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const missing = (await Promise.all([isMissing(certFile), isMissing(keyFile)])).some(Boolean);
  if (!missing) {
    const kept = await readCertificate(certFile, keyFile);
    if (now < new Date(new X509Certificate(kept.cert).validTo)) return kept;
  }
  const made = await makeCertificate(host, now);
  await makeFolder(folder);
  await replaceFile(keyFile, made.key);
  await replaceFile(certFile, made.cert);
  // Clients of other users need it to trust the server.
  await chmod(certFile, 0o644);
  return made;
}

async function isMissing(file: string): Promise<boolean> {
  return readFile(file).then(
    () => false,
    ({ code }) => code === 'ENOENT',
  );
}

async function makeCertificate(host: string, now: Date): Promise<Certificate> {
  // Much to load, for what is needed once in ten years.
  const { default: selfsigned } = await import('selfsigned');
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + YEARS);
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
