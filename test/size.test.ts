import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import BUDGETS from './budgets.json' with { type: 'json' };

const root = new URL('../', import.meta.url);
const dist = (file: string) => fileURLToPath(new URL(`dist/${file}`, root));

/** Returns the maximum size in bytes that the guide promises. */
function promisedSize(sentence: RegExp, page = 'docs/guide/embedding.md'): number {
  const [, kilobytes] = sentence.exec(readFileSync(new URL(page, root), 'utf8')) ?? [];
  return Number(kilobytes) * 1000;
}

/** Expects the gzipped size to be at most `max`, and close to it, so that the test notices growth. */
function expectSize(code: string, max: number): void {
  const size = gzipSync(code, { level: 9 }).length;
  expect(size).toBeLessThanOrEqual(max);
  expect(size).toBeGreaterThan(0.85 * max);
}

/** A folder where programs find the package as if it was installed. */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-size-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(fileURLToPath(root), join(folder, 'node_modules/onwhere'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Bundles a program as a page would. */
async function bundleWithEsbuild(contents: string, external: string[] = []): Promise<string> {
  const stdin = { contents, resolveDir: folder };
  const options = { bundle: true, minify: true, write: false, preserveSymlinks: true, external } as const;
  const { outputFiles } = await esbuild({ ...options, stdin, format: 'esm', platform: 'browser' });
  return outputFiles.map(({ text }) => text).join('');
}

const USE_COMPILE_WHERE = `import { compileWhere } from 'onwhere'; console.log(compileWhere);`;

it.each(Object.entries(BUDGETS.gzippedBytes))('%s takes at most %i bytes', async (name, bytes) => {
  const program =
    name === '*' ? `export * from 'onwhere';` : `import { ${name} } from 'onwhere'; console.log(${name});`;
  expect(gzipSync(await bundleWithEsbuild(program), { level: 9 }).length).toBeLessThanOrEqual(bytes);
});

it('core.js and the files that it loads have the size and number that the guide states', () => {
  const files = new Set([dist('core.js')]);
  for (const file of files) {
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*from '(\.[^']+)';$/gm);
    for (const [, path = ''] of imports) files.add(join(dirname(file), path));
  }
  const codes = Array.from(files, (file) => gzipSync(readFileSync(file)).length);
  const total = codes.reduce((sum, size) => sum + size, 0);
  const [, number, kilobytes] =
    /(\d+) files of together at most (\d+) KB gzipped/.exec(
      readFileSync(new URL('docs/guide/embedding.md', root), 'utf8'),
    ) ?? [];
  expect(files.size).toBe(Number(number));
  expect(total).toBeLessThanOrEqual(Number(kilobytes) * 1000);
  expect(total).toBeGreaterThan(Number(kilobytes) * 900);
});

it('the page loads few bytes before its first picture', () => {
  const html = readFileSync(dist('page/index.html'), 'utf8');
  const files = new Set(Array.from(html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g), ([, path = '']) => path));
  // The page must name what its scripts import, so that the browser loads all of it at once.
  for (const file of files) {
    const code = readFileSync(dist(`page/${file}`), 'utf8');
    const imports = code.matchAll(/\b(?:from|import)\s*"\.\/([^"]+\.js)"/g);
    for (const [, name] of imports) expect(files).toContain(`assets/${name}`);
  }
  expect([...files].filter((file) => file.endsWith('.css'))).toHaveLength(1);
  const sizes = Array.from(files, (file) => gzipSync(readFileSync(dist(`page/${file}`)), { level: 9 }).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThanOrEqual(BUDGETS.pageFirstLoadGzippedBytes);
  expect(total).toBeGreaterThan(0.85 * BUDGETS.pageFirstLoadGzippedBytes);
});

it('the element has the size that the guide states, without CodeMirror', async () => {
  const external = ['@codemirror/*', '@lezer/*', '*/text-editor.js'];
  expectSize(
    await bundleWithEsbuild(`import 'onwhere/element';`, external),
    promisedSize(/The element needs at most (\d+) KB gzipped/, 'docs/guide/forms-and-editors.md'),
  );
});

it('relations have the size that the guide states, and are only in programs that import them', async () => {
  const [core, all] = [USE_COMPILE_WHERE, `import * as onwhere from 'onwhere'; console.log(onwhere);`];
  const names = 'canonical, findWitness, isAlways, isNever, relate, simplify';
  const related = `${core} import { ${names} } from 'onwhere/relate'; console.log(${names});`;
  const warning = `${core} import * as relations from 'onwhere/relate'; console.log(relations);`;
  const [without, everything, withRelations, withWarnings] = await Promise.all(
    [core, all, related, warning].map((code) => bundleWithEsbuild(code)),
  );
  const sizeOf = (code = '') => gzipSync(code, { level: 9 }).length;
  const promised = promisedSize(/`onwhere\/relate` adds at most (\d+) KB gzipped/, 'docs/guide/relations.md');
  expect(sizeOf(withRelations) - sizeOf(without)).toBeLessThanOrEqual(promised);
  expect(sizeOf(withRelations) - sizeOf(without)).toBeGreaterThan(0.85 * promised);
  const promisedWarnings = promisedSize(/with `findRelations` at most (\d+) KB/, 'docs/guide/relations.md');
  expect(sizeOf(withWarnings) - sizeOf(without)).toBeLessThanOrEqual(promisedWarnings);
  expect(sizeOf(withWarnings) - sizeOf(without)).toBeGreaterThan(0.85 * promisedWarnings);
  const marks = ['Missing set', 'This makes no difference'];
  const has = [without, everything, withRelations, withWarnings].map((code) =>
    marks.map((mark) => code?.includes(mark)),
  );
  expect(has).toEqual([
    [false, false],
    [false, false],
    [true, false],
    [true, true],
  ]);
});

/** Code that occurs only in `codegen` and only in batches. */
const UNUSED_CODE = [/\bFunction\(/, /\bInt32Array\b/];

/** Bundle a program with two bundlers. */
const BUNDLERS: Readonly<Record<string, (program: string) => Promise<string>>> = {
  esbuild: bundleWithEsbuild,
  async vite(program) {
    const entry = { name: 'entry', resolveId: (id: string) => (id === 'entry' ? join(folder, 'entry.js') : undefined) };
    const load = { name: 'load', load: (id: string) => (id === join(folder, 'entry.js') ? program : undefined) };
    const built = await vite({
      configFile: false,
      root: folder,
      logLevel: 'silent',
      resolve: { preserveSymlinks: true },
      plugins: [entry, load],
      build: { write: false, rollupOptions: { input: 'entry' } },
    });
    const outputs = 'output' in built ? built.output : expect.unreachable();
    return outputs.map((output) => ('code' in output ? output.code : '')).join('');
  },
};

describe.each(Object.entries(BUNDLERS))('the bundle of `compileWhere` by %s', (_, bundle) => {
  it('has the size that the guide states, without codegen and batches', async () => {
    expectSize(await bundle(USE_COMPILE_WHERE), promisedSize(/`compileWhere` needs is at most (\d+) KB gzipped/));
    const all = await bundle(`import * as onwhere from 'onwhere'; console.log(onwhere);`);
    const code = await bundle(USE_COMPILE_WHERE);
    for (const mark of UNUSED_CODE) {
      expect(all.match(mark)).not.toBeNull();
      expect(code.match(mark)).toBeNull();
    }
  });
});
