/**
 * Parses numeric options of the command line.
 *
 * @throws {Error} for the first option that is not a number, or is negative.
 */
export function readNumbers<Name extends string>(values: Readonly<Record<Name, string>>): Record<Name, number> {
  const numbers = Object.entries<string>(values).map(([name, text]) => [name, Number(text)] as const);
  const wrong = numbers.find(([, number]) => !(number >= 0));
  if (wrong !== undefined) throw new Error(`--${wrong[0]} needs a number`);
  return Object.fromEntries(numbers) as Record<Name, number>;
}
