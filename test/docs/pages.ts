import { readFileSync } from 'node:fs';
import { PAGES as SITE } from '../../docs/.vitepress/pages.ts';

/** The folder of the repository. */
export const ROOT = new URL('../../', import.meta.url);

/** The pages that are committed: those of the site, and what else people read in the repository. */
export const PAGES: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'src/service/store/README.md',
  ...SITE.filter((path) => !path.startsWith('site/')),
];

/** A code block of a page. */
export interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** The nearest block of JSON before it on the page, which examples of expressions read. */
  readonly record: string;
}

/** The code blocks of all pages but reports, whose blocks are what a benchmark ran. */
export const BLOCKS: readonly Block[] = PAGES.filter((path) => !path.startsWith('bench/')).flatMap(blocksOf);

/** Returns the text of a page. */
export function readPage(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

function blocksOf(page: string): Block[] {
  let record = '{}';
  return [...readPage(page).matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)].map(([, language, text = '']) => {
    if (language === 'json') record = text;
    return { page, language: language || 'text', text, record };
  });
}

/** Returns the blocks in some languages. */
export function blocksIn(...languages: readonly string[]): Block[] {
  return BLOCKS.filter(({ language }) => languages.includes(language));
}
