import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process';
import { type IPty, type IPtyForkOptions, spawn as spawnPty } from '@lydell/node-pty';

/** The process groups that tests have started, by the process ids of their leaders. */
const groups = new Set<number>();

/** Kills all processes of the groups that are still running. */
function killAll(): void {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // The group has ended.
    }
  }
  groups.clear();
}

// After the tests of the file that imports this, even if they fail …
if (process.env.VITEST !== undefined) (await import('vitest')).afterAll(killAll);
// … and if the process ends before, or is not a test.
process.on('exit', killAll);
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killAll();
    process.kill(process.pid, signal);
  });
}

function track<Child extends { readonly pid?: number | undefined }>(child: Child): Child {
  if (child.pid !== undefined) groups.add(child.pid);
  return child;
}

/** Starts a child process like `spawn` of Node.js, in a process group that is killed after the test file. */
export function startChild(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): ChildProcessWithoutNullStreams {
  return track(spawn(command, args, { ...options, detached: true }) as ChildProcessWithoutNullStreams);
}

/** Like {@link startChild}, on a terminal. */
export function startOnTerminal(command: string, args: string[], options: IPtyForkOptions): IPty {
  return track(spawnPty(command, args, options));
}
