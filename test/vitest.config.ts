import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './eventually.ts';
import { LongestFirst } from './longest-first.ts';
import { PROJECTS } from './projects.ts';

const globOf = (place: string) => (place.endsWith('/') ? `${place}**/*.test.ts` : `${place}.test.ts`);

/**
 * Tests of databases, processes and pages often wait for a process, the disk or a time limit, so more of them run at
 * once.
 */
const MOSTLY_WAITING = { maxWorkers: 2 * availableParallelism(), sequence: { groupOrder: 1 } };

// Tests run most code only briefly, so V8 optimizes a function later than by default (67584). Otherwise its compiler threads
// take a fifth of the processor time.
setFlagsFromString('--interrupt-budget=300000');

export default defineConfig({
  test: {
    env: { ONWHERE_SEED: process.env.ONWHERE_SEED ?? String(Date.now() % 2 ** 31) },
    reporters: ['default', './test/summary-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // By default, Vitest leaves one processor idle.
    maxWorkers: '100%',
    // Tests that hang must end, and no test may fail because the machine is busy: the longest take ten minutes on a slow one.
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    // Coverage includes only threads and processes of the runner, not child processes of tests and not Chromium.
    coverage: {
      include: ['src/**/*.{ts,tsx}'],
      reporter: [['text', { skipFull: true, maxCols: 120 }]],
      reportOnFailure: true,
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...Object.values(PROJECTS).flat().map(globOf)],
          pool: 'threads',
          isolate: false,
        },
      },
      ...Object.entries(PROJECTS).map(([name, places]) => ({
        extends: true as const,
        test: { name, include: places.map(globOf), ...(name !== 'isolated' && MOSTLY_WAITING) },
      })),
    ],
  },
});
