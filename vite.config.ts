import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';
import { noticesOf } from './scripts/notices.ts';
import { packPages } from './scripts/pack-pages.ts';
import { trimForVite } from './scripts/trim-chevrotain.ts';

/** The playground and, behind it, the server's own page. */
export default defineConfig({
  ...configOf('playground'),
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) await builder.build(environment);
      await build(configOf('console'));
      packPages('dist', ['console', 'playground']);
    },
  },
});

/** A page in a folder of its own: static files that find each other from whatever folder they are served from. */
function configOf(page: string): InlineConfig {
  const bundled = new Set<string>();
  return {
    configFile: false,
    root: `src/web/${page}`,
    publicDir: '../shared/public',
    base: './',
    logLevel: 'warn',
    worker: { format: 'es', plugins: () => [trimForVite(), remembering(bundled)] },
    build: {
      outDir: `../../../dist/${page}`,
      emptyOutDir: true,
      target: 'es2022',
      // Nothing stands in the text of others: the page's Content-Security-Policy is strict.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // In kilobytes: the editor, the charts and the language are one file, and no page does without any of them.
      chunkSizeWarningLimit: 600,
    },
    plugins: [trimForVite(), remembering(bundled), notices(bundled)],
  };
}

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
