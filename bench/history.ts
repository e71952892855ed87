import { execFileSync } from 'node:child_process';
import { resolveProjectPath } from './files/tool.ts';

/** Where in the history something was measured. */
export interface Revision {
  /** The commit that was measured, in full. */
  readonly commit: string;
  /** The day, as yyyy-mm-dd in UTC. */
  readonly date: string;
  /** There if files had changes that were not committed: then the commit does not have the code that was measured. */
  readonly dirty?: true;
}

/** What the benchmark itself writes. */
const WRITTEN = ['bench/results', 'README.md', 'docs'];

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: resolveProjectPath('.'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** The revision that is checked out now. Throws where there is no Git repository. */
export function readRevision(): Revision {
  const changed = git('status', '--porcelain', '--', '.', ...WRITTEN.map((path) => `:!${path}`));
  const commit = git('rev-parse', 'HEAD').trim();
  return { commit, date: new Date().toISOString().slice(0, 10), ...(changed !== '' && { dirty: true }) };
}

/** Why commits cannot be counted here; undefined where they can. */
export function findHistoryProblem(): string | undefined {
  try {
    const isShallow = git('rev-parse', '--is-shallow-repository').trim() === 'true';
    return isShallow ? 'the clone is shallow: `git fetch --unshallow` completes it' : undefined;
  } catch {
    return 'this is not a Git repository';
  }
}

/**
 * How many commits since then have changed some files.
 *
 * @returns undefined if the commit is not in the history of what is checked out.
 */
export function countCommitsSince(commit: string, paths: readonly string[]): number | undefined {
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD');
  } catch {
    return undefined;
  }
  return Number(git('rev-list', '--count', `${commit}..HEAD`, '--', ...paths));
}
