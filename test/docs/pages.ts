import { readFileSync } from 'node:fs';
import { PAGES as SITE } from '../../docs/.vitepress/pages.ts';

/** The folder of the repository. */
export const ROOT = new URL('../../', import.meta.url);

/** The committed pages: those of the site that are not generated, and other pages of the repository. */
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
  /** The nearest JSON block before it on the page: the record of an expression. */
  readonly record: string;
}

/** The code blocks of all pages except reports, whose blocks come from benchmark runs. */
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
