import { createButton, createElement } from '../../editor/dom.ts';
import { copyToClipboard, getById } from '../shared/dom.ts';
import type { ShellCommand } from '../shared/query-api.ts';

/** Shows the commands that run the current query, and its filter as SQL. */
export class CommandsView {
  private readonly details = getById<HTMLDetailsElement>('sql');
  private filter = '';

  constructor() {
    this.details.addEventListener('toggle', () => void this.showSql());
  }

  /** Shows the commands. Without a filter there is no SQL. */
  show(commands: readonly ShellCommand[], filter = ''): void {
    this.filter = filter;
    this.details.hidden = filter === '';
    showTexts(getById('commands'), commands);
    void this.showSql();
  }

  private async showSql(): Promise<void> {
    const { filter } = this;
    if (!this.details.open || filter === '') return;
    // The code of the dialects is loaded when someone looks at it.
    const { formatFilterSql } = await import('./filter-sql.ts');
    if (filter === this.filter) showTexts(getById('sql-dialects'), formatFilterSql(filter));
  }
}

/** Shows texts for a shell or a database, each with a button that copies it. */
function showTexts(parent: HTMLElement, texts: readonly ShellCommand[]): void {
  const shown = texts.flatMap(({ name, title, text }) => [
    createElement('pre', { id: `command-${name}`, 'aria-label': title }, text),
    createButton({ class: 'quiet' }, `Copy ${title}`, () => void copyToClipboard(text)),
  ]);
  parent.replaceChildren(...shown);
}
