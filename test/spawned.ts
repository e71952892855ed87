import { type ChildProcessWithoutNullStreams, type SpawnOptions, spawn } from 'node:child_process';
import { type IPty, type IPtyForkOptions, spawn as spawnPty } from '@lydell/node-pty';

/** The process groups that tests have started, by the ids of their leaders. */
const groups = new Set<number>();

/** Kills everything that is left of the groups. Those that have ended cannot be killed, which is fine. */
function killAll(): void {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // Nobody is left.
    }
  }
  groups.clear();
}

// After the tests of the file that imports this, whether they failed or not …
if (process.env.VITEST !== undefined) (await import('vitest')).afterAll(killAll);
// … and where these do not come to their end, or a program is no test.
process.on('exit', killAll);
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killAll();
    process.kill(process.pid, signal);
  });
}

function tracked<Child extends { readonly pid?: number | undefined }>(child: Child): Child {
  if (child.pid !== undefined) groups.add(child.pid);
  return child;
}

/** As `spawn` of Node.js, in a process group that does not outlive the test file: what the child starts is killed with it. */
export function startChild(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): ChildProcessWithoutNullStreams {
  return tracked(spawn(command, args, { ...options, detached: true }) as ChildProcessWithoutNullStreams);
}

/** As {@link startChild}, on a terminal. */
export function startOnTerminal(command: string, args: string[], options: IPtyForkOptions): IPty {
  return tracked(spawnPty(command, args, options));
}
