import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of all packages that the files are of. Packages whose licences read the same stand before one copy of it. */
export function noticesOf(files: Iterable<string>): string {
  const titles = new Map<string, string>();
  for (const { title, text } of packagesOf(files).map(readNotice)) titles.set(text, (titles.get(text) ?? '') + title);
  return Array.from(titles, ([text, title]) => title + text).join('\n');
}

/** The names of the packages that files are part of. */
export function packagesOf(files: Iterable<string>): string[] {
  const names = Array.from(files, (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

function readNotice(name: string): { readonly title: string; readonly text: string } {
  const folder = join('node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  return { title: `${'='.repeat(80)}\n${name} ${version} (${license})\n`, text };
}
