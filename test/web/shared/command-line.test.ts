import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';
import { COMPARE, listFields, QUERIES, type QuestionName } from '../../../src/web/questions/queries.ts';
import { formatFileCommand, formatServerCommand, toCommandWords } from '../../../src/web/shared/command-line.ts';
import { testIo } from '../../cli/test-io.ts';

const program = await buildProgram(testIo(), () => undefined);

function findCommand(words: readonly string[]): Command {
  return words.reduce((parent, word) => {
    const found = parent.commands.find((command) => command.name() === word);
    if (found === undefined) throw new Error(`There is no command ${words.join(' ')}`);
    return found;
  }, program);
}

describe('the command of a query', () => {
  it.each(Object.keys(QUERIES) as QuestionName[])('exists with its options: %s', (name) => {
    const fields = listFields(name).filter((field) => field !== COMPARE);
    const values = fields.map((field) => [field.name, field.kind === 'names' ? '["x"]' : 'x'] as const);
    const [, ...words] = toCommandWords(QUERIES[name].path, values);
    const isOption = (word: string) => word.startsWith('--');
    const { options } = findCommand(words.filter((word) => !isOption(word)));
    const known = options.map(({ long }) => long);
    expect(known).toEqual(expect.arrayContaining(words.filter(isOption).map((word) => word.replace(/=.*/, ''))));
    expect(words.filter(isOption)).toHaveLength(fields.length);
  });

  it('is quoted for a shell', () => {
    const parameters = [
      ['event', '["view product","it\'s"]'],
      ['from_date', '2025-06-01'],
      ['where', 'properties["a"] == " --b"'],
    ] as const;
    expect(formatServerCommand('https://localhost:8443/', 'events', parameters)).toBe(
      [
        'onwhere events \\',
        "  '--event=view product' \\",
        "  '--event=it'\\''s' \\",
        '  --from-date=2025-06-01 \\',
        '  \'--where=properties["a"] == " --b"\' \\',
        '  --server=https://localhost:8443/',
      ].join('\n'),
    );
  });

  it('names a file, and its time zone unless it is UTC', () => {
    const format = (timeZone: string) => formatFileCommand({ name: 'my shop.csv', timeZone }, 'events', []);
    expect(format('UTC')).toBe("onwhere events 'my shop.csv'");
    expect(format('Europe/Berlin')).toBe("onwhere events \\\n  --time-zone=Europe/Berlin 'my shop.csv'");
  });
});
