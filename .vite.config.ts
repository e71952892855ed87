import { defineConfig, type Plugin } from 'vite';
import { noticesOf } from './scripts/notices.ts';

const bundled = new Set<string>();

/** Remembers what the page and its thread take in. */
const remembering: Plugin = {
  name: 'remembering',
  generateBundle() {
    for (const file of this.getModuleIds()) bundled.add(file);
  },
};

/** Writes the licence of every package that was taken in beside the page. */
const notices: Plugin = {
  name: 'notices',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source: noticesOf(bundled) });
  },
};

/** The playground: static files that find each other from whatever folder they are served from. */
export default defineConfig({
  root: 'src/playground',
  base: './',
  logLevel: 'warn',
  worker: { format: 'es', plugins: () => [remembering] },
  build: {
    outDir: '../../dist/playground',
    emptyOutDir: true,
    target: 'es2022',
    // Nothing stands in the text of others: the page's Content-Security-Policy is strict.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  plugins: [remembering, notices],
});
