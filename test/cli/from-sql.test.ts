import { expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

it('from-sql prints the expression', async () => {
  expect(await runCli(['from-sql', "WHERE plan = 'pro'"])).toEqual({
    code: 0,
    out: 'properties["plan"] == "pro"\n',
    err: '',
  });
});

it('from-sql reads standard input and prints what it assumes on standard error', async () => {
  const { out, err } = await runCli(['from-sql', '-'], { input: "zip = '10115'\n" });
  expect(out).toBe('properties["zip"] == "10115"\n');
  expect(err).toBe("note: '10115' is compared as a string. Remove the quotes if the property is a number.\n");
});

it('from-sql --json prints the expression and the notes', async () => {
  const { out } = await runCli(['from-sql', 'a > 1', '--json']);
  expect(JSON.parse(out)).toEqual({ expression: 'properties["a"] > 1', notes: [] });
});

it('from-sql shows where a condition has no translation, with exit code 1', async () => {
  const { code, out, err } = await runCli(['from-sql', 'a = 1 AND b = NULL']);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toBe(
    'error: Nothing equals NULL. Write IS NULL or IS NOT NULL. [untranslatable]\n' +
      '  1 | a = 1 AND b = NULL\n' +
      '    |               ^^^^\n',
  );
});
