import { escapeUnprintable, formatInteger, pluralize } from '../../base/strings.ts';
import { UNNAMED_EVENT } from '../../data/field-mapping.ts';
import { createElement } from '../../editor/dom.ts';
import type { LeftOut, RecordNotes } from '../events/memory-records.ts';
import type { EventsSource, LoadProgress } from '../events/messages.ts';
import { getById } from '../shared/dom.ts';

/** Shows the source of the events, and opens other files: chosen, or dropped anywhere on the page. */
export class SourceView {
  private readonly progress = getById('progress');

  constructor(open: (source: EventsSource) => void) {
    const file = getById<HTMLInputElement>('file');
    const openFirst = (files: FileList | null | undefined) => {
      const [first] = files ?? [];
      if (first !== undefined) open({ kind: 'file', file: first });
    };
    file.addEventListener('change', () => {
      openFirst(file.files);
      // Lets the same file be chosen again after it has changed.
      file.value = '';
    });
    getById('choose-file').addEventListener('click', () => file.click());
    getById('use-sample').addEventListener('click', () => open({ kind: 'sample' }));
    document.addEventListener('dragover', (event) => {
      event.preventDefault();
      document.body.classList.add('dropping');
    });
    document.addEventListener('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) document.body.classList.remove('dropping');
    });
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      document.body.classList.remove('dropping');
      openFirst(event.dataTransfer?.files);
    });
  }

  /** Shows how many events were read, and which records are broken. */
  show({ name, events, broken, problems, end, done, notes }: LoadProgress): void {
    const file = createElement('bdi', { class: 'file' }, escapeUnprintable(name));
    const lines: HTMLElement[] = [
      createElement(
        'p',
        {},
        file,
        done ? `: ${pluralize(events, 'event')}` : `: reading, ${formatInteger(events)} events so far …`,
      ),
      ...(end === undefined ? [] : [createElement('p', { class: 'error' }, escapeUnprintable(end))]),
    ];
    if (broken > 0) {
      const more =
        broken > problems.length
          ? [createElement('li', {}, `and ${formatInteger(broken - problems.length)} more`)]
          : [];
      lines.push(
        createElement('p', { class: 'warning' }, `${pluralize(broken, 'broken record')} skipped:`),
        createElement(
          'ul',
          { class: 'problems' },
          ...problems.map((problem) => createElement('li', {}, escapeUnprintable(problem))),
          ...more,
        ),
      );
    }
    this.progress.replaceChildren(...lines);
    getById('left-out').textContent = notes === undefined ? '' : describeNotes(notes);
  }
}

const FIELDS: Readonly<Record<keyof LeftOut, string>> = { event: 'name', time: 'time', user: 'user' };

/** Describes events that queries leave out or name; empty if there are none. */
function describeNotes({ leftOut, isUnnamed }: RecordNotes): string {
  const parts = Object.entries(leftOut).flatMap(([field, count]) => {
    return count === 0 ? [] : [`${pluralize(count, 'event')} without a ${FIELDS[field as keyof LeftOut]}`];
  });
  const notes = [
    ...(parts.length === 0 ? [] : [`Only “Explore” counts ${parts.join(', ')}.`]),
    ...(isUnnamed ? [`No event has a name, so all are called “${UNNAMED_EVENT}”.`] : []),
  ];
  return notes.join(' ');
}
