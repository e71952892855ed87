import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runExamples } from './demo-answers.ts';
import { generateFiles } from './generated.ts';
import { SERVICE_PAGE, writeServicePage } from './service-page.ts';

const files = [...generateFiles(await runExamples()), [SERVICE_PAGE, await writeServicePage()] as const];
for (const [path, text] of files) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
