import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The most memory in MB that a process and those that it has started have had, each at its time, where the system tells. */
export function readPeakMemory(pid: number | undefined): number | undefined {
  const found = listProcesses(pid).map((one) => Number(/VmHWM:\s+(\d+)/.exec(readProc(one, 'status'))?.[1]) / 1024);
  const sum = found.reduce((sum, one) => sum + one, 0);
  return Number.isNaN(sum) ? undefined : sum;
}

/** The seconds that processors have worked for a process and those that it has started until now, where the system tells. */
export function readProcessorSeconds(pid: number | undefined): number {
  return listProcesses(pid)
    .map(secondsOf)
    .reduce((sum, seconds) => sum + seconds, 0);
}

function secondsOf(pid: number | undefined): number {
  // The name of the program stands in brackets, and may hold some.
  const [user, system] = readProc(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11)
    .map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) / TICKS;
}

/** A process, and those that it has started and that have not ended: a server has its database in another one. */
function listProcesses(pid: number | undefined): readonly (number | undefined)[] {
  const children = readProc(pid, `task/${pid}/children`).trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
}

/** How many of the ticks that a process is told to have worked are a second. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

function readProc(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
