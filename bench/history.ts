import { execFileSync } from 'node:child_process';
import { resolveProjectPath } from './files/tool.ts';

/** The commit that was measured. */
export interface Revision {
  /** The full hash. */
  readonly commit: string;
  /** The day, as yyyy-mm-dd in UTC. */
  readonly date: string;
  /** True if there were uncommitted changes, so that the commit does not contain the measured code. */
  readonly dirty?: true;
}

/** Files that the benchmark itself writes. */
const WRITTEN = ['bench/results', 'README.md', 'docs'];

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: resolveProjectPath('.'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Reads the current revision. @throws {Error} outside a Git repository. */
export function readRevision(): Revision {
  const changed = git('status', '--porcelain', '--', '.', ...WRITTEN.map((path) => `:!${path}`));
  const commit = git('rev-parse', 'HEAD').trim();
  return { commit, date: new Date().toISOString().slice(0, 10), ...(changed !== '' && { dirty: true }) };
}

/** Returns why commits cannot be counted, or undefined if they can. */
export function findHistoryProblem(): string | undefined {
  try {
    const isShallow = git('rev-parse', '--is-shallow-repository').trim() === 'true';
    return isShallow ? 'the clone is shallow: `git fetch --unshallow` completes it' : undefined;
  } catch {
    return 'this is not a Git repository';
  }
}

/**
 * Returns the number of commits since a commit that changed the given paths; undefined if the commit is not an ancestor
 * of HEAD.
 */
export function countCommitsSince(commit: string, paths: readonly string[]): number | undefined {
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD');
  } catch {
    return undefined;
  }
  return Number(git('rev-list', '--count', `${commit}..HEAD`, '--', ...paths));
}
