/** A mistake in the sources that a test must notice. */
export interface Mutant {
  /** Names the mistake, or the thing that it breaks. */
  readonly about: string;
  /** The source file, relative to the root. */
  readonly file: string;
  /** The exact text that the mutant replaces. It occurs once in the file. */
  readonly text: string;
  readonly instead: string;
  /** The test file that fails, relative to the root. */
  readonly test: string;
  /** The test that fails, as `vitest -t` takes it. Undefined for the whole file. */
  readonly name: string | undefined;
}

/** The texts of mutants and their replacements, by what is wrong with each. */
type Changes = Readonly<Record<string, readonly [text: string, instead: string]>>;

/** Returns the mutants of a file that one test kills. */
export function mutate(file: string, test: string | readonly [test: string, name: string], changes: Changes): Mutant[] {
  const [path, name] = typeof test === 'string' ? [test, undefined] : test;
  return Object.entries(changes).map(([about, [text, instead]]) => ({
    about,
    file,
    text,
    instead,
    test: path,
    name,
  }));
}

/**
 * Returns the source of a mutant.
 *
 * @throws {Error} if the text that it replaces does not occur exactly once.
 */
export function applyMutant(source: string, { about, file, text, instead }: Mutant): string {
  const found = source.split(text).length - 1;
  if (found !== 1) throw new Error(`${file}: the mutant "${about}" replaces ${text}, which occurs ${found} times`);
  return source.replace(text, () => instead);
}
