import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

const ROOT = new URL('../../', import.meta.url);

/** The folder where `npm run docs` writes the API reference before it builds the site. */
const REFERENCE = 'site/reference/';

/** The other pages of the site, which are not in `docs`. */
const OTHER_PAGES = ['grammar/language.md', 'grammar/operators.md', 'SECURITY.md', 'CHANGELOG.md'];

/** Every page of the site, by its path in the repository. */
export const PAGES: readonly string[] = [...['docs/', REFERENCE, 'bench/results/'].flatMap(pagesIn), ...OTHER_PAGES];

function pagesIn(folder: string): string[] {
  if (!existsSync(new URL(folder, ROOT))) return [];
  return readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .map((path) => folder + path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && !path.includes('/node_modules/'))
    .sort();
}

/** Returns the path on the site of a page of the repository: `docs/api/README.md` is `api/index.md`. */
export function pathOnSite(path: string): string {
  return path.replace(/^(docs|site)\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

/** Returns the first heading of a page. */
export function titleOf(path: string): string {
  return /^# (.*)$/m.exec(readFileSync(new URL(path, ROOT), 'utf8'))?.[1] ?? path;
}

/** Returns the anchor of a heading. Code hosts use the same one, so that a link works there and on the site. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** The target of a link on a page. */
export interface Target {
  /** The path in the repository. */
  readonly path: string;
  /** The anchor with its `#`; empty without one. */
  readonly hash: string;
}

/** Resolves a relative link of a page; returns undefined for a URL. */
export function targetOf(href: string, page: string): Target | undefined {
  if (/^[a-z][a-z\d+.-]*:|^\//i.test(href)) return undefined;
  const [path = '', anchor] = href.split('#');
  const target = path === '' ? page : posix.join(posix.dirname(page), decodeURI(path));
  const readme = posix.join(target, 'README.md');
  const isFolder = !target.endsWith('.md') && existsSync(new URL(readme, ROOT));
  return { path: isFolder ? readme : target, hash: anchor === undefined ? '' : `#${anchor}` };
}
