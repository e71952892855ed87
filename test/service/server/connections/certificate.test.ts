import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CertificateError,
  certificateRenewal,
  loadOwnCertificate,
  readCertificate,
} from '../../../../src/service/server/connections/certificate.ts';
import { RunningServer } from '../running-server.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onwhere-certificate-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the self-signed certificate', () => {
  it('covers this machine and the host for ten years, and only its owner can read the key', async () => {
    const { cert } = await loadOwnCertificate(folder, 'example.org', new Date('2024-05-06T07:08:09Z'));
    const read = new X509Certificate(cert);
    for (const name of ['localhost', 'example.org']) expect(read.checkHost(name)).toBe(name);
    for (const ip of ['127.0.0.1', '::1']) expect(read.checkIP(ip)).toBe(ip);
    expect(new Date(read.validTo)).toEqual(new Date('2034-05-06T07:08:09Z'));
    expect((await stat(join(folder, 'key.pem'))).mode & 0o777).toBe(0o600);
  });

  it('is trusted by a client that has it as a certificate authority', async () => {
    const { cert, key } = await loadOwnCertificate(folder, '127.0.0.1');
    const server = https.createServer({ cert, key }, (_, response) => response.end('ok'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const status = await new Promise((resolve, reject) => {
      https
        .get({ host: 'localhost', port, ca: cert, family: 4 }, ({ statusCode }) => resolve(statusCode))
        .on('error', reject);
    });
    expect(status).toBe(200);
    server.closeAllConnections();
    server.close();
  });

  it('is reused until it expires', async () => {
    const made = new Date('2024-05-06T00:00:00Z');
    const first = await loadOwnCertificate(folder, 'localhost', made);
    expect(await loadOwnCertificate(folder, 'localhost', new Date('2034-05-05'))).toEqual(first);
    const second = await loadOwnCertificate(folder, 'localhost', new Date('2034-05-07'));
    expect(second.cert).not.toBe(first.cert);
    expect(await readFile(join(folder, 'certificate.pem'), 'utf8')).toBe(second.cert);
    expect(await readFile(join(folder, 'key.pem'), 'utf8')).toBe(second.key);
  });

  it('is created again if one of its files is missing, but not if one is broken', async () => {
    const first = await loadOwnCertificate(folder, 'localhost');
    await rm(join(folder, 'key.pem'));
    expect((await loadOwnCertificate(folder, 'localhost')).cert).not.toBe(first.cert);
    await writeFile(join(folder, 'key.pem'), 'broken');
    await expect(loadOwnCertificate(folder, 'localhost')).rejects.toThrow(/key\.pem are not a certificate and its key/);
  });
});

describe('a configured certificate', () => {
  it('is rejected if it cannot be read or does not match its key', async () => {
    const [cert, other] = [join(folder, 'certificate.pem'), join(folder, 'other.pem')];
    await expect(readCertificate(cert, other)).rejects.toThrow(CertificateError);
    await loadOwnCertificate(folder, 'localhost');
    const { key } = await loadOwnCertificate(join(folder, 'b'), 'localhost');
    await writeFile(other, key);
    await expect(readCertificate(cert, other)).rejects.toThrow(/other\.pem are not a certificate and its key/);
    await expect(readCertificate(cert, folder)).rejects.toThrow(/EISDIR/);
    await writeFile(other, '');
    for (const [certFile, keyFile] of [
      [cert, other],
      [other, join(folder, 'key.pem')],
      [other, other],
    ] as const) {
      await expect(readCertificate(certFile, keyFile)).rejects.toThrow(/are not a certificate and its key/);
    }
  });

  it('is reloaded when its files change, once the certificate and key match', async () => {
    const files = [join(folder, 'certificate.pem'), join(folder, 'key.pem')] as const;
    const first = await loadOwnCertificate(folder, 'localhost');
    const second = await loadOwnCertificate(join(folder, 'b'), 'localhost');
    const server = await RunningServer.start({ certificate: first });
    let times = 0;
    const renew = certificateRenewal(...files, first, (renewed) => {
      times++;
      server.renew(renewed);
    });
    await renew();
    expect([times, await getPresentedCertificate(server)]).toEqual([0, first.cert.trim()]);
    await writeFile(files[0], second.cert);
    await expect(renew()).rejects.toThrow(CertificateError);
    expect([times, await getPresentedCertificate(server)]).toEqual([0, first.cert.trim()]);
    await writeFile(files[1], second.key);
    await renew();
    await renew();
    expect([times, await getPresentedCertificate(server)]).toEqual([1, second.cert.trim()]);
    await server.stop();
  });
});

/** Returns the certificate that a server presents to a new client, in PEM. */
async function getPresentedCertificate({ port }: RunningServer): Promise<string | undefined> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const shown = socket.getPeerX509Certificate()?.toString().trim();
  socket.destroy();
  return shown;
}
