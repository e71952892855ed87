import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { EXAMPLES } from '../../scripts/diagnostics/examples.ts';
import { adaptMarkdown } from './markdown.ts';
import { anchorOf, PAGES, pathOnSite, titleOf } from './pages.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const grammar = JSON.parse(readFileSync(`${ROOT}grammar/onwhere.tmLanguage.json`, 'utf8'));

/** Returns the sidebar item of a page, with its title. */
function itemOf(path: string): DefaultTheme.SidebarItem {
  return { text: titleOf(path), link: `/${pathOnSite(path)}` };
}

function group(text: string, paths: readonly string[], collapsed?: boolean): DefaultTheme.SidebarItem {
  return { text, items: paths.map(itemOf), ...(collapsed !== undefined && { collapsed }) };
}

const below = (folder: string) => PAGES.filter((path) => path.startsWith(folder));
const HTTP = [
  'docs/api/README.md',
  'docs/queries.md',
  ...below('docs/api/').filter((path) => !path.endsWith('README.md')),
];
const CODES = [...Object.keys(EXAMPLES), 'unsupported', 'untranslatable'].map((code) => `docs/diagnostics/${code}.md`);

const sidebar: DefaultTheme.SidebarItem[] = [
  group('Guide', [
    'docs/guide/embedding.md',
    'docs/guide/forms-and-editors.md',
    'docs/guide/columns.md',
    'docs/guide/filter-sets.md',
    'docs/guide/relations.md',
    'docs/guide/operating.md',
    'docs/guide/terminal.md',
    'docs/guide/json.md',
    'docs/guide/language-models.md',
    'docs/guide/databases.md',
    'docs/guide/other-databases.md',
    'docs/guide/translations.md',
  ]),
  group('Language', ['docs/language.md', 'grammar/language.md', 'grammar/operators.md']),
  group('API reference', below('site/reference/onwhere')),
  group('HTTP reference', HTTP, true),
  group('Diagnostics', ['docs/diagnostics/README.md', ...CODES], true),
  group('More', [
    'docs/comparison.md',
    'docs/benchmarks.md',
    ...below('bench/results/'),
    'docs/data-folder.md',
    'docs/database-bugs.md',
    'docs/design-decisions.md',
    'docs/grammar.md',
    'SECURITY.md',
    'CHANGELOG.md',
  ]),
];

/** The home page. `docs/README.md` is a list of links on code hosts. */
const HOME = {
  layout: 'home',
  hero: {
    name: 'onwhere',
    text: 'Filters of product analytics, everywhere',
    tagline: 'Parse, check and run filters in Node.js, browsers, the terminal and SQL',
    actions: [
      { text: 'Get started', link: '/guide/embedding' },
      { text: 'Learn the language', link: '/language', theme: 'alt' },
      { text: 'Try it on a file', link: '/playground/index.html', theme: 'alt', target: '_self' },
    ],
  },
};

export default defineConfig({
  title: 'onwhere',
  description: 'Parse, check and run Mixpanel-style filters in Node.js, browsers, the terminal and SQL.',
  lang: 'en',
  srcDir: ROOT,
  outDir: `${ROOT}site/html`,
  cacheDir: `${ROOT}docs/node_modules/.cache/vitepress`,
  srcExclude: ['!(docs|grammar|bench|site|*.md)/**', 'bench/!(results)/**', '!(SECURITY|CHANGELOG).md'],
  rewrites: (path) => pathOnSite(path),
  markdown: {
    languages: [{ ...grammar, name: 'onwhere' }],
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { console: 'shellsession' },
    anchor: { slugify: anchorOf },
    config: (md) => adaptMarkdown(md, ROOT),
  },
  vite: {
    // VitePress would read `vite.config.ts` of `srcDir`, which builds the page.
    configFile: false,
    // In kilobytes: the editor of the examples, which loads when one comes into view.
    build: { target: 'es2022', chunkSizeWarningLimit: 600 },
    // VitePress runs with a newer esbuild than it asks for, which no longer supports the browsers of 2020.
    optimizeDeps: { esbuildOptions: { target: 'es2022' } },
  },
  transformPageData: ({ relativePath }) => (relativePath === 'index.md' ? { frontmatter: HOME } : undefined),
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/embedding' },
      { text: 'Language', link: '/language' },
      { text: 'API', link: '/reference/onwhere' },
      { text: 'HTTP', link: '/api/' },
      { text: 'Diagnostics', link: '/diagnostics/' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
