import { defineConfig, type Plugin } from 'vite';
import { noticesOf } from './scripts/notices.ts';
import { packPage } from './scripts/pack-page.ts';
import { trimForVite } from './scripts/trim-chevrotain.ts';

const bundled = new Set<string>();

/** The page: static files in a folder of their own, that find each other from whatever folder they are served from. */
export default defineConfig({
  root: 'src/web/app',
  publicDir: '../shared/public',
  base: './',
  logLevel: 'warn',
  worker: { format: 'es', plugins: () => [trimForVite(), remembering(bundled)] },
  build: {
    outDir: '../../../dist/page',
    emptyOutDir: true,
    target: 'es2022',
    // The first with `light-dark()`, which follows the theme that is chosen on the page.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Nothing stands in the text of others: the page's Content-Security-Policy is strict.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  plugins: [trimForVite(), remembering(bundled), notices(bundled)],
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
      packPage('dist/page', 'dist/cli/page.json.br');
    },
  },
});

/** Remembers what the page and its thread take in. */
function remembering(bundled: Set<string>): Plugin {
  return {
    name: 'remembering',
    generateBundle() {
      for (const file of this.getModuleIds()) bundled.add(file);
    },
  };
}

/** Writes the licence of every package that was taken in beside the page. */
function notices(bundled: ReadonlySet<string>): Plugin {
  return {
    name: 'notices',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source: noticesOf(bundled) });
    },
  };
}
