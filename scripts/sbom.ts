import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf } from './notices.ts';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

/** Returns a CycloneDX document of the packages that contain the files. Installed dependencies are not part of it. */
export function sbomOf(files: Iterable<string>): string {
  const project = readJson('package.json');
  const lock = readJson('package-lock.json') as unknown as Lock;
  const components = packagesOf(files).map((name) => {
    const folder = join('node_modules', name);
    const { version, license } = readJson(join(folder, 'package.json'));
    const purl = purlOf(name, String(version));
    const { integrity } = lock.packages[folder] ?? {};
    return {
      type: 'library',
      'bom-ref': purl,
      name,
      version,
      purl,
      scope: 'required',
      licenses: [{ expression: license }],
      ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
    };
  });
  const purl = purlOf(String(project.name), String(project.version));
  const component = { type: 'application', 'bom-ref': purl, name: project.name, version: project.version, purl };
  const document = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component }, components };
  return `${JSON.stringify(document)}\n`;
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function hashOf(integrity: string): object {
  const [algorithm = '', digest = ''] = integrity.split('-');
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  };
}

function readJson(path: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(path, 'utf8'));
}
