import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licence of every package that the files are of, one behind the other. */
export function noticesOf(files: Iterable<string>): string {
  return packagesOf(files).map(notice).join('\n');
}

/** The names of the packages that files are part of. */
export function packagesOf(files: Iterable<string>): string[] {
  const names = Array.from(files, (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

function notice(name: string): string {
  const folder = join('node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n${text}`;
}
