/**
 * The numbers that options of the command line are.
 *
 * @throws {Error} for the first that is none, or is negative.
 */
export function readNumbers<Name extends string>(written: Readonly<Record<Name, string>>): Record<Name, number> {
  const numbers = Object.entries<string>(written).map(([name, text]) => [name, Number(text)] as const);
  const wrong = numbers.find(([, number]) => !(number >= 0));
  if (wrong !== undefined) throw new Error(`--${wrong[0]} needs a number`);
  return Object.fromEntries(numbers) as Record<Name, number>;
}
