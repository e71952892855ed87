import type { Command } from 'commander';

/** Returns the words that call a command, without the program: `['secret', 'create']`. */
export function listCommandWords(command: Command): string[] {
  return command.parent === null ? [] : [...listCommandWords(command.parent), command.name()];
}
