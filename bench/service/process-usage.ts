import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The most memory in MB that a process has had, where the system tells. */
export function mostMemory(pid: number | undefined): number | undefined {
  const [, found] = /VmHWM:\s+(\d+)/.exec(told(pid, 'status')) ?? [];
  return found === undefined ? undefined : Number(found) / 1024;
}

/** The seconds that processors have worked for a process until now, where the system tells. */
export function processorSeconds(pid: number | undefined): number {
  // The name of the program stands in brackets, and may hold some.
  const [user, system] = told(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11)
    .map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) / TICKS;
}

/** How many of the ticks that a process is told to have worked are a second. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

function told(pid: number | undefined, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
