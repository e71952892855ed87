import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Makes a folder that any web host serves: the page over a file, which also opens offline after the first visit.
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, process.argv[2] ?? 'dist/playground');
rmSync(folder, { recursive: true, force: true });
cpSync(join(root, 'dist/page'), folder, { recursive: true });

const page = join(folder, 'index.html');
const html = readFileSync(page, 'utf8');
const marked = html.replace('name="onwhere-offline" content=""', 'name="onwhere-offline" content="true"');
if (marked === html) throw new Error('The page does not say whether it works offline.');
writeFileSync(page, marked);

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) =>
    join(parentPath, name)
      .slice(folder.length + 1)
      .replaceAll('\\', '/'),
  )
  .sort();
const version = createHash('sha256');
for (const file of files) version.update(file).update(readFileSync(join(folder, file)));
const worker = readFileSync(new URL('service-worker.js', import.meta.url), 'utf8')
  .replace('VERSION', JSON.stringify(version.digest('hex').slice(0, 12)))
  .replace('FILES', JSON.stringify(['./', ...files]));
writeFileSync(join(folder, 'service-worker.js'), worker);
console.log(`${folder}: ${files.length + 1} files. Serve them from any folder of a web host.`);
