import type { RecordEngine } from './engine.ts';

const common = { group: 'by hand', over: 'records', write: () => '' } as const;

/** The filters that are written by hand: what all others are measured by. */
export const BY_HAND: readonly RecordEngine[] = [
  { ...common, name: 'by hand', load: (testCase) => () => testCase.byHand },
  { ...common, name: 'by hand, own properties only', load: (testCase) => () => testCase.byHandOwn },
];
