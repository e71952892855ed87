import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

// `npm run line-walker` compiles the walker into a module of the command line. `test/cli/line-walker.test.ts` fails if
// that does not have the hash of the source.

const SOURCE = 'scripts/line-walker/line-walker.ts';
const MODULE = 'src/cli/input/line-walker-module.ts';
const OUTPUT = 'line-walker.wasm';

const written = new Map<string, string | Uint8Array>();
const { error, stderr } = await asc.main(
  [SOURCE, '--outFile', OUTPUT, '-O3', '--runtime', 'stub', '--enable', 'simd', '--noAssert', '--memoryBase', '64'],
  { writeFile: (name, contents) => written.set(name, contents) },
);
if (error) throw new Error(stderr.toString(), { cause: error });
const hash = createHash('sha256').update(readFileSync(SOURCE)).digest('hex');
const base64 = Buffer.from(written.get(OUTPUT) as Uint8Array).toString('base64');
writeFileSync(
  MODULE,
  `// biome-ignore-all format: written by \`npm run line-walker\` from ${SOURCE}
// SHA-256 of the source: ${hash}

/** The WebAssembly module that walks lines, in Base64. */
export const LINE_WALKER =
${(base64.match(/.{1,110}/g) ?? []).map((line) => `  '${line}'`).join(' +\n')};
`,
);
