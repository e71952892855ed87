import { describe, expect, it } from 'vitest';
import { replaceOldNames } from '../../src/cli/old-names.ts';
import { runCli } from './run-cli.ts';

describe('old names', () => {
  it.each([
    ['users --where x', 'people --where x', ['onwhere users', 'onwhere people']],
    ['events top --json', 'top --json', ['onwhere events top', 'onwhere top']],
    ['query count true a.csv', 'count true a.csv', ['onwhere query count', 'onwhere count']],
    ['funnel show --help', 'funnel --help', ['onwhere funnel show', 'onwhere funnel']],
    ['retention addiction --unit=week', 'retention addiction --by=week', ['--unit', '--by']],
    ['sql true --where --json', 'sql true --use=where --json', ['--where', '--use where']],
  ])('%s', (old, now, renamed) => {
    expect(replaceOldNames(old.split(' '))).toEqual({ words: now.split(' '), renamed: [renamed] });
  });

  it.each(['people', 'events names', 'funnel a b -- --unit', 'count true --where', 'serve --unit', '', 'constructor'])(
    '%j stays',
    (line) => {
      const words = line.split(' ');
      expect(replaceOldNames(words)).toEqual({ words, renamed: [] });
    },
  );

  it('are named with the new ones', async () => {
    const { code, out, err } = await runCli(['sql', 'true', '--where']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('WHERE') });
    expect(err).toContain('note: --where is now --use where. The next version will not know the old name\n');
  });
});
