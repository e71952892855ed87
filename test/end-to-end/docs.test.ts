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

/** Returns the commands of a page, each with the language and the content of the output block below it. */
function readExamples(page: string): [command: string, language: string, output: string][] {
  const text = readFileSync(new URL(page, DOCS), 'utf8');
  const blocks = text.matchAll(/^```sh\n(.*?)^```\n\n```(\w+)\n(.*?)^```$/gms);
  return Array.from(blocks, ([, command = '', language = '', output = '']) => [command, language, output]);
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

/** Parses JSON and rounds numbers: the last digits of a sum depend on the order of its terms. */
function parseRounded(json: string): unknown {
  return JSON.parse(json, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value));
}

// The page about datasets and imports is generated from the OpenAPI document, without outputs. That of the export shows
// one of many lines, in another layout.
const PAGES = readdirSync(DOCS).filter((page) => page !== 'service.md' && page !== 'export.md');

describe.each(PAGES.sort())('docs/api/%s', (page) => {
  it.each(readExamples(page))('shows the output of %s', (command, language, output) => {
    const printed = normalizeAnswer(run(command));
    if (language === 'json') expect(parseRounded(printed)).toEqual(parseRounded(output));
    else expect(`${printed.replaceAll('\r', '').trimEnd()}\n`).toBe(output);
  });

  it('shows a command and its output', () => {
    expect(readExamples(page).length).toBeGreaterThan(0);
  });
});
