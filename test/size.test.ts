import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build as tsup } from 'tsup';
import { build as vite } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const dist = (file: string) => fileURLToPath(new URL(`dist/${file}`, root));

/** Returns the maximum size in bytes that the guide promises. */
function promisedSize(sentence: RegExp, page = 'docs/guide/embedding.md'): number {
  const [, kilobytes] = sentence.exec(readFileSync(new URL(page, root), 'utf8')) ?? [];
  return Number(kilobytes) * 1000;
}

/** Expects the gzipped size to be at most `max`, and close to it, so that the test notices growth. */
function expectSize(code: string, max: number): void {
  const size = gzipSync(code).length;
  expect(size).toBeLessThanOrEqual(max);
  expect(size).toBeGreaterThan(0.85 * max);
}

let folder = '';
let entry = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-size-'));
  entry = join(folder, 'page.js');
  writeFileSync(entry, `import { compileWhere } from ${JSON.stringify(dist('index.js'))};\nconsole.log(compileWhere);`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Bundle the script of a page with two bundlers. */
const BUNDLERS: Readonly<Record<string, () => Promise<string>>> = {
  async esbuild() {
    const outDir = join(folder, 'out');
    await tsup({ config: false, entry: [entry], outDir, format: 'esm', minify: true, silent: true });
    return readFileSync(join(outDir, 'page.js'), 'utf8');
  },
  async vite() {
    const built = await vite({
      configFile: false,
      root: folder,
      logLevel: 'silent',
      build: { write: false, rollupOptions: { input: entry } },
    });
    const outputs = 'output' in built ? built.output : expect.unreachable();
    return outputs.map((output) => ('code' in output ? output.code : '')).join('');
  },
};

it('core.js has the size that the guide states', () => {
  const max = promisedSize(/one ES module of at most (\d+) KB gzipped/);
  expect(max).toBeLessThanOrEqual(57_000);
  expectSize(readFileSync(dist('core.js'), 'utf8'), max);
});

it('the element has the size that the guide states, without CodeMirror', async () => {
  const page = join(folder, 'element.js');
  writeFileSync(page, `import ${JSON.stringify(dist('element.js'))};`);
  const outDir = join(folder, 'element');
  const external = [/^@codemirror|^@lezer/];
  const options = { format: 'esm', minify: true, silent: true, splitting: true, external } as const;
  await tsup({ config: false, entry: [page], outDir, ...options });
  const first = readFileSync(join(outDir, 'element.js'), 'utf8');
  const chunks = [...first.matchAll(/(?:from|import) ?"\.\/(chunk-\w+\.js)"/g)].map(([, name = '']) => name);
  expectSize(
    [first, ...chunks.map((name) => readFileSync(join(outDir, name), 'utf8'))].join(''),
    promisedSize(/The element needs at most (\d+) KB gzipped/, 'docs/guide/forms-and-editors.md'),
  );
});

/** Code that occurs only in `codegen` and only in batches. */
const UNUSED_CODE = [/\bFunction\(/, /\bInt32Array\b/];

describe.each(Object.entries(BUNDLERS))('the bundle of `compileWhere` by %s', (_, bundle) => {
  it('has the size that the guide states, without codegen and batches', async () => {
    const code = await bundle();
    expectSize(code, promisedSize(/`compileWhere` needs is at most (\d+) KB gzipped/));
    for (const mark of UNUSED_CODE) {
      expect(readFileSync(dist('index.js'), 'utf8').match(mark)).not.toBeNull();
      expect(code.match(mark)).toBeNull();
    }
  });
});
