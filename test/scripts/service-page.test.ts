import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SERVICE_PAGE, writeServicePage } from '../../scripts/service-page.ts';

it('the page about datasets and imports is up to date with `npm run generate`', async () => {
  expect(readFileSync(new URL(`../../${SERVICE_PAGE}`, import.meta.url), 'utf8')).toBe(await writeServicePage());
});
