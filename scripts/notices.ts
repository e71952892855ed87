import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the licences of all packages that the files belong to. Packages under one licence come before one copy of it,
 * each with its own copyright lines.
 */
export function noticesOf(files: Iterable<string>): string {
  const texts = new Map<string, string>();
  const titles = new Map<string, string>();
  for (const { title, copyright, text } of packagesOf(files).map(readNotice)) {
    // Copies differ in line breaks, quotes and the example after the terms.
    const key = text
      .replace(/END OF TERMS AND CONDITIONS.*/s, '')
      .replace(/\W+/g, ' ')
      .toLowerCase();
    if (!texts.has(key)) texts.set(key, text);
    titles.set(key, `${titles.get(key) ?? ''}${title}${copyright}`);
  }
  return Array.from(texts, ([key, text]) => `${titles.get(key)}\n${text}\n`).join('\n');
}

/** The changes of the build to packages, for licences that require this, such as Apache-2.0 (section 4b). */
export const CHANGES: Readonly<Record<string, string>> = {
  chevrotain:
    'Changed for onwhere: methods that a finished grammar never calls are left out, and such functions only throw.',
};

/** Returns the names of the packages that contain the files. */
export function packagesOf(files: Iterable<string>): string[] {
  const names = Array.from(files, (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

function readNotice(name: string): { readonly title: string; readonly copyright: string; readonly text: string } {
  const folder = join('node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const lines = file === undefined ? [] : readFileSync(join(folder, file), 'utf8').trim().split('\n');
  const isCopyright = (line: string) => /^\s*copyright\s*(?:\(c\)|©|\d)/i.test(line);
  return {
    title: `${'='.repeat(80)}\n${name} ${version} (${license})\n${name in CHANGES ? `${CHANGES[name]}\n` : ''}`,
    copyright: lines
      .filter(isCopyright)
      .map((line) => `${line.trim()}\n`)
      .join(''),
    text: lines
      .filter((line) => !isCopyright(line))
      .join('\n')
      .trim(),
  };
}
