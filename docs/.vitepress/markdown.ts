import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { PAGES, pathOnSite, targetOf } from './pages.ts';

/** The result that follows an expression in an example. */
const RESULT = /\n→ .*\n?$/;

/** The example of Monaco. A live one follows it. */
const MONACO = /from 'onwhere\/monaco'/;

/** Adapts pages that code hosts also show to the site: links and live examples. `root` is the folder of the repository. */
export function adaptMarkdown(md: MarkdownRenderer, root: string): void {
  md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
    if (typeof env.realPath !== 'string') return;
    const page = posix.relative(root, env.realPath);
    for (const { children } of tokens) adaptLinks(children ?? [], page);
  });
  addLiveExamples(md);
}

type Tokens = ReturnType<MarkdownRenderer['parse']>;

/** Points links at pages of the site. Links to other files of the repository become plain text. */
function adaptLinks(tokens: Tokens, page: string): void {
  let isOpen = true;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = targetOf(String(token.attrGet('href')), page);
      isOpen = target === undefined || PAGES.includes(target.path);
      if (target && isOpen) token.attrSet('href', `/${pathOnSite(target.path)}${target.hash}`);
    }
    const isEnd = token.type === 'link_close';
    if (!isOpen && (isEnd || token.type === 'link_open')) Object.assign(token, { type: 'text', content: '' });
    if (isEnd) isOpen = true;
  }
}

/** Shows expressions with a result in an editor, with the JSON record that precedes them on the page. */
function addLiveExamples(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence;
  if (fence === undefined) throw new Error('VitePress renders no code blocks.');
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (MONACO.test(token?.content ?? '')) return `${fence(tokens, index, options, env, self)}<MonacoExample />`;
    if (token?.info !== 'onwhere' || !RESULT.test(token.content)) return fence(tokens, index, options, env, self);
    const record = tokens.slice(0, index).findLast(({ info }) => info === 'json')?.content ?? '{}';
    const source = token.content.replace(RESULT, '');
    const attributes = [`source="${attribute(source)}"`, `record="${attribute(record.trim())}"`].join(' ');
    return `<LiveExample ${attributes}>${fence(tokens, index, options, env, self)}</LiveExample>`;
  };
  const attribute = (text: string) => md.utils.escapeHtml(text).replaceAll('\n', '&#10;');
}
