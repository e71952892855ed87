import { execFileSync } from 'node:child_process';

/** The process of DuckDB that a process has started; undefined where there is none. */
export function storeWorkerOf(pid: number): number | undefined {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'stat=', '-o', 'args='], {
    encoding: 'utf8',
  });
  for (const line of processes.split('\n')) {
    const [, child, parent, state, command = ''] = /^ *(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? [];
    if (Number(parent) === pid && !state?.startsWith('Z') && /store[-/]worker/.test(command)) return Number(child);
  }
  return undefined;
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
