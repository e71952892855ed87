import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BenchError } from './bench-error.ts';
import type { Section } from './sections.ts';

export interface Options {
  /**
   * The name under which to save the results. Other cases under this name are kept. If undefined, results are only
   * printed.
   */
  readonly name: string | undefined;
  /** The name of saved results to compare with. */
  readonly compare: string | undefined;
  /** Runs fewer rounds on smaller files, for a quick check. */
  readonly quick: boolean;
  /** Runs only cases whose section and name contain this string, such as `speed: P1`. */
  readonly only: string;
  /** Whether to save results of uncommitted changes, which are then marked. */
  readonly dirty: boolean;
}

/** Returns whether to measure a case. */
export type IsSelected = (section: Section, name: string) => boolean;

/** The version of the package, which is also the name of its results. */
const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/**
 * Reads the command line. Without a name, only complete runs without `--compare` are saved, under the version.
 *
 * @throws {BenchError} for an unknown option.
 */
export function readOptions(args: readonly string[]): Options {
  const { name, compare, quick = false, only = '', dirty = false } = parse(args);
  const isWhole = !quick && only === '' && compare === undefined;
  return { name: name ?? (isWhole ? VERSION : undefined), compare, quick, only, dirty };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        name: { type: 'string' },
        compare: { type: 'string' },
        quick: { type: 'boolean' },
        only: { type: 'string' },
        dirty: { type: 'boolean' },
      },
    }).values;
  } catch {
    throw new BenchError(
      'usage: npm run bench -- [--name <name>] [--compare <name>] [--quick] [--only <part of "section: case">] [--dirty]',
    );
  }
}
