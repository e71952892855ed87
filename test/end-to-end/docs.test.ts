import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_ADDRESS } from '../../scripts/api-page.ts';
import { normalizeAnswer } from '../../scripts/normalize-answer.ts';
import { ServerProcess } from './server-process.ts';

const DOCS = new URL('../../docs/api/', import.meta.url);

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onwhere-docs-'));
  server = await ServerProcess.start({ path: folder }, '--demo');
});
afterAll(async () => {
  await server.kill();
  rmSync(folder, { recursive: true });
});

/** The commands of a page, each with the language and the text of the answer below it. */
function examplesOf(page: string): [command: string, language: string, answer: string][] {
  const text = readFileSync(new URL(page, DOCS), 'utf8');
  const blocks = text.matchAll(/^```sh\n(.*?)^```\n\n```(\w+)\n(.*?)^```$/gms);
  return Array.from(blocks, ([, command = '', language = '', answer = '']) => [command, language, answer]);
}

function run(command: string): string {
  const [, secret = ''] = /-u (\w+):/.exec(server.output) ?? [];
  const [, token = ''] = /token=(\w+)/.exec(server.output) ?? [];
  return execFileSync('bash', ['-c', command.replaceAll(DEMO_ADDRESS, server.address)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ONWHERE_SECRET: secret, ONWHERE_TOKEN: token },
  });
}

/** Sums of the same numbers differ in their last digits by the order in which they are added. */
function rounded(json: string): unknown {
  return JSON.parse(json, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value));
}

// The page about datasets and imports is made from the OpenAPI document, without answers.
const PAGES = readdirSync(DOCS).filter((page) => page !== 'service.md');

describe.each(PAGES.sort())('docs/api/%s', (page) => {
  it.each(examplesOf(page))('%s', (command, language, answer) => {
    const answered = normalizeAnswer(run(command));
    if (language === 'json') expect(rounded(answered)).toEqual(rounded(answer));
    else expect(`${answered.replaceAll('\r', '').trimEnd()}\n`).toBe(answer);
  });

  it('shows what to ask', () => {
    expect(examplesOf(page).length).toBeGreaterThan(0);
  });
});
