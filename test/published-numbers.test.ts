import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findMeasureLines, MEASURED, RECORDED } from '../bench/report/markers.ts';
import { formatInteger } from '../src/base/strings.ts';
import { MAX_NAME_CHARACTERS, MAX_NUMBERS, MAX_PAGE_CHARACTERS, PAGE_SIZE } from '../src/queries/answer-limits.ts';
import { MAX_RECORD_BYTES } from '../src/service/datasets/imports/split-batch.ts';
import { WEBHOOK_LIMITS } from '../src/service/saved-filters/webhook-queue.ts';
import { LIMITS } from '../src/service/server/settings/limits.ts';
import { SETTINGS } from '../src/service/server/settings/settings.ts';
import { LEASE_TIMES } from '../src/service/storage/folder-lease.ts';
import BUDGETS from './budgets.json' with { type: 'json' };

const ROOT = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

const pagesIn = (folder: string) =>
  readdirSync(new URL(folder, ROOT), { recursive: true })
    .map((path) => `${folder}${String(path).replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && !path.includes('/node_modules/'));

/** Pages about the current version. The changelog may have the numbers of earlier versions. */
const PAGES = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['docs/', 'grammar/', 'deploy/'].flatMap(pagesIn),
];

/** Notes for contributors, which may record experiments. */
const NOTES = pagesIn('src/');

const mebibytes = (bytes: number) => `${bytes / 2 ** 20} MiB`;
const { queriesAtOnce, queryTimeLimit } = SETTINGS;

const [renew, valid, takeover] = [LEASE_TIMES.renew, LEASE_TIMES.valid, LEASE_TIMES.takeover].map((ms) => ms / 1_000);

/** Phrases on pages whose numbers look like measurements, but are limits or settings. */
const PHRASES: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  'README.md': ['brings at most 9 MB'],
  // `.ci/run` measures these seconds.
  'CONTRIBUTING.md': [`within ${BUDGETS.npmTestProcessorSeconds / 2} seconds on two processors`],
  'docs/guide/embedding.md': [
    // `size.test.ts` measures these sizes.
    /`compileWhere` needs is at most \d+ KB gzipped/,
    /\d+ files of together at most \d+ KB gzipped/,
  ],
  'docs/guide/forms-and-editors.md': [/The element needs at most \d+ KB gzipped/],
  'docs/guide/language-models.md': [`A message over HTTP has at most ${mebibytes(LIMITS.queryBytes)}`],
  'docs/guide/relations.md': [/`onwhere\/relate` adds at most \d+ KB gzipped/, /with `findRelations` at most \d+ KB/],
  'deploy/cluster/README.md': [`the other takes over after ${takeover} seconds`],
  'docs/data-folder.md': [
    `renames it every ${renew} seconds`,
    `${takeover} seconds on its own clock`,
    `the renewal began less than ${valid} seconds ago`,
    `cannot renew for ${valid} seconds`,
  ],
  'docs/guide/operating.md': [
    `take over ${takeover} seconds after it dies`,
    `a record ${mebibytes(MAX_RECORD_BYTES)}, a body ${mebibytes(LIMITS.bodyBytes)}`,
    `after ${WEBHOOK_LIMITS.firstDelay / 1_000} second, 2, 4 and so on, up to ${WEBHOOK_LIMITS.maxDelay / 60_000} minutes`,
    `an attempt takes at most ${WEBHOOK_LIMITS.attempt / 1_000} seconds`,
    `after ${WEBHOOK_LIMITS.giveUp / 86_400_000} days, or if ${formatInteger(WEBHOOK_LIMITS.notices)} notices or ${mebibytes(WEBHOOK_LIMITS.bytes)} wait`,
  ],
  'docs/queries.md': [
    `${formatInteger(MAX_NUMBERS)} numbers and ${formatInteger(MAX_NAME_CHARACTERS)} characters in the names`,
    `at most ${formatInteger(PAGE_SIZE)} people, whose profiles have at most ${formatInteger(MAX_PAGE_CHARACTERS)} characters`,
  ],
  'docs/api/README.md': [
    `The body of a query has at most ${mebibytes(LIMITS.queryBytes)}`,
    `A request line has at most ${LIMITS.headerBytes / 1024 - 16} KiB`,
    `the body of a query ${mebibytes(LIMITS.queryBytes)}, or ${LIMITS.unknownBytes / 1024} KiB`,
    `The server runs ${queriesAtOnce.defaultValue} queries at once`,
    `A query takes at most ${queryTimeLimit.defaultValue} seconds`,
  ],
};

/** Commands with their output, which `examples.test.ts` compares. */
const EXAMPLES = /^```console\n.*?^```$/gms;

describe.each([...PAGES, ...NOTES])('%s', (path) => {
  const page = read(path);
  const phrases = PHRASES[path] ?? [];

  it('gives the limits of the sources', () => {
    const missing = phrases.filter(
      (phrase) => page.search(phrase instanceof RegExp ? phrase : createPattern(phrase)) === -1,
    );
    expect(missing).toEqual([]);
  });

  it('has measurements only in blocks that are generated from results', () => {
    const prose = page
      .replace(MEASURED, '')
      .replace(EXAMPLES, '')
      .replace(NOTES.includes(path) ? RECORDED : '', '');
    expect(findMeasureLines(phrases.reduce((text: string, phrase) => text.replace(phrase, ''), prose))).toEqual([]);
  });
});

function createPattern(text: string): RegExp {
  return new RegExp(text.replace(/[^\w\s]/g, '\\$&'));
}

describe('linesWithMeasures', () => {
  it.each([
    'parses in 2.3 µs',
    'takes 44 KB gzipped',
    'is 1.4× as long',
    'is 12 % slower',
    'within 30 s.',
    'answers 4,000 events a second',
    'is three times faster',
    'is twice as fast',
    'takes a fifth of the time',
    '| by hand | **10.9** |',
    'lasts 20ms',
  ])('finds a measurement in "%s"', (line) => {
    expect(findMeasureLines(`before\n${line}\nafter`)).toEqual([line]);
  });

  it.each([
    '| `7 % 3` | `1` |',
    'needs Node.js 20.19 or later',
    'over 100,000 events',
    '256 levels',
    'version 2.0s7',
    '| `json` | 1,000 (the default) |',
  ])('finds no measurement in "%s"', (line) => {
    expect(findMeasureLines(line)).toEqual([]);
  });

  it('finds a measurement after a marker that is not closed', () => {
    expect(findMeasureLines('<!-- measured 0.1.0/speed -->\n20 ms'.replace(MEASURED, ''))).toEqual(['20 ms']);
  });
});
