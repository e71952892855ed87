import { formatProperty } from '../../base/strings.ts';
import { createElement } from '../../editor/dom.ts';
import type { LoadProgress } from '../events/messages.ts';
import { Explorer } from '../explore/explorer.ts';
import { FileSource } from '../file/file-source.ts';
import { Questions } from '../questions/questions.ts';
import { SecretField } from '../questions/secret-field.ts';
import { ServerApi } from '../questions/server-api.ts';
import { isQuestionLink } from '../questions/state.ts';
import { addCondition } from '../shared/add-condition.ts';
import { copyToClipboard, getById } from '../shared/dom.ts';
import { addHelp } from '../shared/help-dialog.ts';
import { PageLink } from '../shared/page-link.ts';
import { PropertyPanel } from '../shared/property-panel.ts';
import { readMeta } from '../shared/read-meta.ts';
import { addThemeSwitch } from '../shared/theme.ts';

/** Where the events are: on the server of the page, or in a file in the browser. */
type Source = 'server' | 'file';

/** The page: questions about the events of a server or of a file, and a file to explore. */
export class App {
  private source: Source = readMeta('onwhere-source') === 'server' ? 'server' : 'file';
  private isExploring = false;
  private file: FileSource | undefined;
  private explorer: Explorer | undefined;
  private readonly link = new PageLink(
    () => (this.isExploring ? this.explorer : this.questions)?.formatLink() ?? '',
    (fragment) => this.follow(fragment),
  );
  private readonly secret = new SecretField({
    onChange: () => {
      this.properties.clear();
      void this.questions.refresh();
    },
    onEnter: () => this.questions.runIfAsked(),
  });
  private readonly server = new ServerApi(() => this.secret.value);
  private readonly properties = new PropertyPanel({
    filter: (condition) => this.edit('where', (filter) => addCondition(filter, condition)),
    group: (scope, name) => this.edit('on', () => formatProperty(scope, name)),
  });
  private readonly questions = new Questions(this.server, {
    saveLinkSoon: () => this.link.saveSoon(),
    saveLink: () => this.link.save(),
    showLinks: () => this.showNavigation(),
    showProperties: async (names) => {
      if (this.source === 'server') await this.properties.show(names);
    },
    showAccessError: (message) => this.secret.setError(message),
  });

  /** Opens the source of the page, and shows what its link names. */
  start(): void {
    getById('copy-link').addEventListener('click', () => {
      this.link.save();
      void copyToClipboard(location.href);
    });
    addThemeSwitch();
    addHelp([['Ctrl-Enter', 'Run the query']], (example) => this.edit('where', () => example));
    const choice = getById<HTMLSelectElement>('source');
    choice.addEventListener('change', () => this.changeSource(choice.value as Source));
    getById('sources').hidden = this.source === 'file';
    if (this.source === 'server') this.openServer(location.hash);
    else this.openFile().openFirst();
  }

  /** Runs the last query, if there was one, on the other source. */
  private changeSource(source: Source): void {
    this.source = source;
    this.properties.clear();
    if (source === 'server') this.openServer(this.questions.hasResult ? `#${this.questions.formatLink()}` : '');
    else this.openFile();
  }

  private openServer(fragment: string): void {
    this.questions.ask(this.server);
    this.showMode(false);
    void this.questions.open(fragment);
  }

  /** Shows the part of the page for files, which it creates at first. */
  private openFile(): FileSource {
    if (this.file === undefined) {
      const template = getById<HTMLTemplateElement>('of-file');
      for (const part of template.content.querySelectorAll<HTMLElement>('[data-in]'))
        getById(part.dataset.in ?? '').append(part);
      const file = new FileSource({
        onProgress: (progress) => this.showProgress(file, progress),
        onResult: (result) => this.explorer?.showResult(result),
        onAbsent: (query, absent) => this.explorer?.showAbsent(query, absent),
      });
      this.file = file;
      this.explorer = new Explorer(file.client, { saveLink: () => this.link.saveSoon() });
    }
    this.questions.ask(this.file.api);
    this.follow(location.hash);
    return this.file;
  }

  private showProgress(file: FileSource, progress: LoadProgress): void {
    this.explorer?.showProgress(progress);
    if (!progress.done || this.source !== 'file') return;
    this.properties.clear();
    if (progress.events > 0) void this.properties.show(file.client);
    void this.questions.refresh().then(() => {
      if (!this.isExploring) this.questions.runIfAsked();
    });
  }

  private follow(fragment: string): void {
    this.showMode(this.source === 'file' && !isQuestionLink(fragment));
    if (this.isExploring) this.explorer?.open(fragment);
    else this.questions.follow(fragment);
  }

  private showMode(isExploring: boolean): void {
    this.isExploring = isExploring;
    for (const part of document.querySelectorAll<HTMLElement>('[data-for]'))
      part.hidden = !(part.dataset.for ?? '').split(' ').includes(isExploring ? 'explore' : this.source);
    this.showNavigation();
  }

  private showNavigation(): void {
    const links = this.questions.createLinks();
    if (this.isExploring) for (const link of links) link.removeAttribute('aria-current');
    const current = this.isExploring ? { 'aria-current': 'page' } : {};
    const explore = createElement('a', { href: `#${this.explorer?.formatLink() ?? ''}`, ...current }, 'Explore');
    getById('queries').replaceChildren(...(this.source === 'file' ? [explore] : []), ...links);
  }

  private edit(part: 'where' | 'on', change: (source: string) => string | undefined): void {
    if (this.isExploring) this.explorer?.edit(part, change);
    else this.questions.edit(part, change);
  }
}
