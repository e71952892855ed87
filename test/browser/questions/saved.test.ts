import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeFindings } from '../axe-findings.ts';
import { CHROMIUM } from '../chromium.ts';
import { visit } from '../explore/page.ts';
import { PlayTab } from '../explore/play-tab.ts';

describe.skipIf(CHROMIUM === undefined)('users and saved questions', () => {
  let tab: PlayTab;
  let page: Page;

  beforeAll(async () => {
    tab = await PlayTab.start();
    page = tab.page;
  });
  afterAll(() => tab.stop());

  beforeEach(() => visit(page, `${tab.address}#query=funnels`));
  afterEach(() => tab.assertNoProblems());

  const headline = () => page.getByText('650 of 1,667 users');

  it('opens the users who left, the events of one with the reasons of the filter, and goes back', async () => {
    await visit(
      page,
      `${tab.address}#${new URLSearchParams({ query: 'funnels', where: 'properties["plan"] == "pro"' })}`,
    );
    await page.getByRole('button', { name: /leave/ }).first().click();
    await page.getByRole('heading', { name: 'Users who left after “view product”' }).waitFor();
    const users = page.locator('.user-list').getByRole('button');
    const id = (await users.first().textContent()) ?? '';
    await users.first().click();
    await page.getByRole('heading', { name: id }).waitFor();
    await page.locator('.timeline summary').first().click();
    await expect.poll(() => page.locator('.timeline .reasons').first().textContent()).toMatch(/plan/);
    expect(await axeFindings(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('heading', { name: 'Users who left after “view product”' }).waitFor();
    await page.getByRole('button', { name: 'Back to the answer' }).click();
    await page.getByRole('button', { name: /leave/ }).first().waitFor();
  });

  it('keeps a question in the browser, shows it on a board, and takes a removal back', async () => {
    const saved = () => page.getByRole('dialog', { name: 'Saved questions' });
    const open = () => page.getByRole('button', { name: 'Saved questions' }).click();
    await headline().waitFor();
    await open();
    await saved().getByLabel('Name of the question').fill('Buying');
    await saved().getByRole('button', { name: 'Save', exact: true }).click();
    await saved().getByRole('link', { name: 'Buying' }).waitFor();
    await page.reload();
    await headline().waitFor();
    await open();
    await saved().getByRole('button', { name: 'Remove: Buying' }).click();
    await saved().getByRole('link', { name: 'Buying' }).waitFor({ state: 'detached' });
    await saved().getByRole('button', { name: 'Undo' }).click();
    await saved().getByRole('link', { name: 'Board of 1 question' }).click();
    await page.getByRole('region', { name: 'Buying' }).getByText('650 of 1,667 users').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('takes questions from a file, and says if it has none', async () => {
    await page.getByRole('button', { name: 'Saved questions' }).click();
    const file = page.getByLabel('File with questions');
    const create = (text: string) => ({
      name: 'questions.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    await file.setInputFiles(create('{"name":"x"}'));
    await page.getByText('This file has no saved questions.').waitFor();
    await file.setInputFiles(create('[{"name":"From a file","link":"query=retention"}]'));
    await page.getByRole('link', { name: 'From a file' }).waitFor();
  });
});
