import { createButton, createElement } from '../../editor/dom.ts';
import { copyToClipboard } from '../shared/dom.ts';
import type { ShellCommand } from '../shared/query-api.ts';

/** Shows commands for a shell, each with a button that copies it. */
export function showCommands(parent: HTMLElement, commands: readonly ShellCommand[]): void {
  const shown = commands.flatMap(({ name, text }) => [
    createElement('pre', { id: `command-${name}` }, text),
    createButton({ class: 'quiet' }, `Copy ${name} command`, () => void copyToClipboard(text)),
  ]);
  parent.replaceChildren(...shown);
}
