import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { anchorOf, targetOf } from '../../docs/.vitepress/pages.ts';
import { PAGES, ROOT, readPage } from './pages.ts';

/** Returns the anchors of the headings of a page. Code hosts number those that occur twice. */
function anchorsIn(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(page).matchAll(/^#{1,6} (.*)$/gm)) {
    const anchor = anchorOf(heading.replace(/`|\[([^\]]*)\]\([^)]*\)/g, '$1'));
    let numbered = anchor;
    for (let count = 1; anchors.has(numbered); count++) numbered = `${anchor}-${count}`;
    anchors.add(numbered);
  }
  return anchors;
}

function withoutCode(page: string): string {
  return readPage(page).replace(/^```[\s\S]*?^```$/gm, '');
}

it.each(PAGES)('every relative link of %s has a target', (page) => {
  const links = withoutCode(page)
    .replace(/`[^`\n]*`/g, '')
    .matchAll(/\]\(([^)\s]+)\)/g);
  const dead = Array.from(links, ([, href = '']) => href).filter((href) => {
    const target = targetOf(href, page);
    if (target === undefined) return false;
    if (!existsSync(new URL(target.path, ROOT))) return true;
    return target.hash !== '' && !anchorsIn(target.path).has(target.hash.slice(1));
  });
  expect(dead).toEqual([]);
});
