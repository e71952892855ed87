import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demoAnswers } from './demo-answers.ts';
import { generated } from './generated.ts';
import { SERVICE_PAGE, servicePage } from './service-page.ts';

const files = [...generated(await demoAnswers()), [SERVICE_PAGE, await servicePage()] as const];
for (const [path, text] of files) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
