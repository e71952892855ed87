import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// `tsx scripts/install.ts docs` installs the packages of `docs/package.json` if one is missing or has another version.
const [folder = ''] = process.argv.slice(2);
const { dependencies } = readManifest(folder);
if (Object.entries(dependencies).some(([name, version]) => readInstalledVersion(name) !== version)) {
  console.log(`Installing the packages of ${folder}/package.json …`);
  const { status } = spawnSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
  if (status !== 0) {
    console.error(`They cannot be installed. Run \`npm ci --prefix ${folder}\` to see why.`);
    process.exitCode = 1;
  }
}

function readInstalledVersion(name: string): string | undefined {
  const path = join(folder, 'node_modules', name);
  return existsSync(path) ? readManifest(path).version : undefined;
}

function readManifest(path: string): { readonly version: string; readonly dependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
}
