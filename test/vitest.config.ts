import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './eventually.ts';
import { LongestFirst } from './longest-first.ts';
import { PROJECTS } from './projects.ts';

const globOf = (place: string) => (place.endsWith('/') ? `${place}**/*.test.ts` : `${place}.test.ts`);

/** Tests of databases, processes and pages often wait: for a process that starts or ends, for the disk, for a time limit. */
const WAITING = { maxWorkers: 3 * availableParallelism(), sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    reporters: ['default', './test/summary-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // Without it, one processor is kept for nobody.
    maxWorkers: '100%',
    // A test that hangs shall end; none may fail because a machine is busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    // Only threads and processes of the runner are seen: not the build that tests start, and not Chromium.
    coverage: {
      include: ['src/**/*.ts'],
      reporter: [['text', { skipFull: true, maxCols: 120 }]],
      reportOnFailure: true,
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: Object.values(PROJECTS).flat().map(globOf),
          pool: 'threads',
          isolate: false,
        },
      },
      ...Object.entries(PROJECTS).map(([name, places]) => ({
        extends: true as const,
        test: { name, include: places.map(globOf), ...(name !== 'isolated' && WAITING) },
      })),
    ],
  },
});
