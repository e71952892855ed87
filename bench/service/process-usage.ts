import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Returns the sum of the peak memory of a process and its children in MB; undefined if the system does not report it.
 */
export function readPeakMemory(pid: number | undefined): number | undefined {
  const found = listProcesses(pid).map((one) => Number(/VmHWM:\s+(\d+)/.exec(readProc(one, 'status'))?.[1]) / 1024);
  const sum = found.reduce((sum, one) => sum + one, 0);
  return Number.isNaN(sum) ? undefined : sum;
}

/** Returns the processor seconds of a process and its children until now; NaN if the system does not report them. */
export function readProcessorSeconds(pid: number | undefined): number {
  return listProcesses(pid)
    .map(secondsOf)
    .reduce((sum, seconds) => sum + seconds, 0);
}

function secondsOf(pid: number | undefined): number {
  // The name of the program is in parentheses and may contain some.
  const [user, system] = readProc(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11)
    .map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) / TICKS;
}

/** Returns a process and its running children, because a server runs its database in another process. */
function listProcesses(pid: number | undefined): readonly (number | undefined)[] {
  const children = readProc(pid, `task/${pid}/children`).trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
}

/** The clock ticks per second in `/proc`. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

function readProc(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
