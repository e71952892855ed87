import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// Bundles Monaco for the documentation site, which loads it when somebody asks for it.
const docs = fileURLToPath(new URL('../docs/', import.meta.url));

await build({
  absWorkingDir: docs,
  entryPoints: { editor: '.vitepress/monaco/editor.ts', worker: 'monaco-editor/editor/editor.worker.js' },
  outdir: '../site/html/monaco',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  loader: { '.ttf': 'file' },
  logLevel: 'warning',
});
