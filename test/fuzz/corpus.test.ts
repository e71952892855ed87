import { expect, it } from 'vitest';
import { CHECKS, compareCase } from './checks.ts';
import { readCorpus } from './corpus.ts';

it.each(readCorpus().map((example) => [example.expression, example] as const))(
  'all engines agree on %s',
  (_, example) => {
    expect(compareCase(example, Object.keys(CHECKS))).toBeGreaterThan(0);
  },
);
