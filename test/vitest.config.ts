import { defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';
import { PROJECTS } from './projects.ts';

const globOf = (place: string) => (place.endsWith('/') ? `${place}**/*.test.ts` : `${place}.test.ts`);

export default defineConfig({
  test: {
    reporters: ['default', './test/summary-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // Without it, one processor is kept for nobody.
    maxWorkers: '100%',
    // Limits for what hangs. A machine with other work takes many times as long as an idle one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
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
        test: { name, include: places.map(globOf) },
      })),
    ],
  },
});
