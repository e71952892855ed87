import type { RecordEngine } from './engine.ts';

const common = { group: 'by hand', over: 'records', write: () => '' } as const;

/** The filters written by hand, which are the reference. */
export const BY_HAND: readonly RecordEngine[] = [
  { ...common, name: 'by hand', load: (testCase) => () => testCase.byHand },
  { ...common, name: 'by hand, own properties only', load: (testCase) => () => testCase.byHandOwn },
];
