import { startOnTerminal } from '../spawned.ts';
import { PROGRAM } from './cli-process.ts';
import type { Start } from './terminal.ts';

/** Returns how to start the built command line on a system terminal, in a folder. */
export function startProcess(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Start {
  return ({ columns, rows }, { onData, onExit }) => {
    const { NO_COLOR: _, ...inherited } = process.env;
    const child = startOnTerminal(process.execPath, [PROGRAM, ...args], {
      cols: columns,
      rows,
      name: env.TERM ?? 'xterm-256color',
      env: { ...inherited, ...env },
      cwd,
    });
    child.onData(onData);
    child.onExit(({ exitCode, signal }) => onExit(signal ? 128 + signal : exitCode));
    return {
      write: (keys) => child.write(keys),
      resize: (columns, rows) => child.resize(columns, rows),
      kill: () => child.kill('SIGKILL'),
    };
  };
}
