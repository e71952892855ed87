import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BenchError } from './bench-error.ts';
import type { Section } from './sections.ts';

export interface Options {
  /** What the results are kept as, those of some cases among the ones that are kept of the others; undefined where they are only shown. */
  readonly name: string | undefined;
  /** The kept results to compare with. */
  readonly compare: string | undefined;
  /** Fewer rounds and a smaller file, to try things out. */
  readonly quick: boolean;
  /** Only the cases that have this in their section and name, as in `speed: P1`. */
  readonly only: string;
  /** Whether results of files with uncommitted changes are kept, marked so. */
  readonly dirty: boolean;
}

/** Whether a case is to be measured. */
export type IsSelected = (section: Section, name: string) => boolean;

/** The version of the package, which is also the name of its results. */
const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/**
 * Reads the command line. Without a name, results are kept of a whole run that does not compare.
 *
 * @throws {BenchError} for an option that there is not.
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
