import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChild } from './spawned.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Wrong attributes of the element, as JavaScript, and the event with a member that it lacks. */
const WRONG = [
  ['value', '1'],
  ['valeu', "'true'"],
  ['use', "'filter'"],
  ['required', "'yes'"],
  ['timeZone', '0'],
  ['schema', "{ properties: { plan: { types: ['text'] } } }"],
] as const;
const EVENT = '(event) => event.currentTarget.text';

const inBraces = (event: string) =>
  [...WRONG, [event, EVENT] as const].map(([name, value]) => `<onwhere-filter ${name}={${value}}></onwhere-filter>`);

const FRAMEWORKS = {
  React: {
    folder: 'react',
    checker: 'typescript/bin/tsc',
    wrong: 'wrong.tsx',
    lines: [
      "import 'onwhere/element';",
      ...inBraces('onInput').map((element, i) => `export const a${i} = ${element};`),
    ],
  },
  Vue: {
    folder: 'vue',
    checker: 'vue-tsc/bin/vue-tsc.js',
    wrong: 'wrong.vue',
    lines: [
      `<script setup lang="ts">import 'onwhere/element';</script><template>`,
      ...WRONG.map(([name, value]) => `<onwhere-filter :${name}="${value}"></onwhere-filter>`),
      `<onwhere-filter @input="${EVENT}"></onwhere-filter>`,
      '</template>',
    ],
  },
  Svelte: {
    folder: 'svelte',
    checker: 'svelte-check/bin/svelte-check',
    wrong: 'wrong.svelte',
    lines: [`<script lang="ts">import 'onwhere/element';</script>`, ...inBraces('oninput')],
  },
};

/** A folder where programs find the declarations of the package, and frameworks, as if they were installed. */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-framework-types-'));
  const installed = join(folder, 'node_modules/onwhere');
  mkdirSync(installed, { recursive: true });
  // The declarations look for frameworks from where they really are.
  cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
  const filter = (path: string) => !/\.(?:js|map|ndjson)$/.test(path);
  cpSync(join(ROOT, 'dist'), join(installed, 'dist'), { recursive: true, filter });
  cpSync(join(ROOT, 'test/frameworks'), folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

function installFrameworks(): void {
  for (const name of readdirSync(join(ROOT, 'test/node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'test/node_modules', name), join(folder, 'node_modules', name));
  }
}

/** Returns the places that a checker of types complains about, as names of files with lines. */
async function findMistakes(checker: string, include: readonly string[]): Promise<string[]> {
  const config = { extends: './tsconfig.json', include, compilerOptions: { skipLibCheck: false } };
  writeFileSync(join(folder, 'checked.json'), JSON.stringify(config));
  const path = createRequire(import.meta.url).resolve(`./node_modules/${checker}`);
  const parameters = checker.startsWith('svelte-')
    ? ['--tsconfig', 'checked.json', '--output', 'machine']
    : ['--project', 'checked.json', '--pretty', 'false'];
  const output = await text(startChild(process.execPath, [path, ...parameters], { cwd: folder }).stdout);
  const places = output.matchAll(/^(\S+?)\((\d+),\d+\): error|^\d+ ERROR "(.+?)" (\d+):/gm);
  return Array.from(places, ([, file, line, other, otherLine]) => `${file ?? other} ${line ?? otherLine}`);
}

it('the element has types in a program without any framework', async () => {
  const lines = [
    "import { FilterElement } from 'onwhere/element';",
    "const filter: FilterElement = document.createElement('onwhere-filter');",
    "filter.form = 'filters';",
    'export const form: HTMLFormElement | null = filter.form;',
    'export const wrong: string = filter.form;',
  ];
  writeFileSync(join(folder, 'program.ts'), lines.join('\n'));
  expect(await findMistakes('typescript/bin/tsc', ['program.ts'])).toEqual(['program.ts 5']);
});

describe('in a program with frameworks', () => {
  beforeAll(installFrameworks);

  it.each(Object.entries(FRAMEWORKS))(
    'the types of %s accept its application, and refuse mistakes',
    async (_, framework) => {
      const wrong = join(framework.folder, framework.wrong);
      writeFileSync(join(folder, wrong), framework.lines.join('\n'));
      const mistakes = await findMistakes(framework.checker, [`${framework.folder}/field.*`, wrong]);
      expect(mistakes).toEqual([...WRONG, EVENT].map((_, index) => `${wrong} ${index + 2}`));
    },
  );
});
