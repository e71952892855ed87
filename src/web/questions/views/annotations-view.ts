import { escapeUnprintable } from '../../../base/strings.ts';
import { createButton, createElement } from '../../../editor/dom.ts';
import type { ChartAnnotation } from '../../answers/answer.ts';

/** Called with a new annotation. */
export type OnAnnotate = (annotation: ChartAnnotation) => void;

/** Lists the annotations of a chart, and adds one at the start of a day. */
export class AnnotationsView {
  readonly root = createElement('details', { class: 'annotations' });
  private readonly title = createElement('summary');
  private readonly list = createElement('ol');
  private readonly day = createElement('input', { type: 'date', 'aria-label': 'Day of the annotation', required: '' });
  private readonly text = createElement('input', { 'aria-label': 'Text of the annotation', required: '' });

  constructor(private readonly onAnnotate: OnAnnotate) {
    const add = createButton({}, 'Annotate', () => this.annotate());
    this.root.append(this.title, this.list, createElement('p', { class: 'buttons' }, this.day, this.text, add));
    this.text.placeholder = 'What happened';
  }

  /** Shows the annotations of the days from `first`. */
  show(annotations: readonly ChartAnnotation[], first: string): void {
    this.title.textContent = `Annotations (${annotations.length})`;
    const items = annotations.map(({ date, description }) => {
      const time = createElement('time', { datetime: date.replace(' ', 'T') }, date.replace(/ 00:00:00$/, ''));
      return createElement('li', {}, time, ' ', createElement('bdi', {}, escapeUnprintable(description)));
    });
    this.list.replaceChildren(...items);
    this.root.open = annotations.length > 0;
    this.day.value = first;
    this.text.value = '';
  }

  private annotate(): void {
    const missing = [this.day, this.text].find(({ value }) => value.trim() === '');
    if (missing === undefined)
      this.onAnnotate({ date: `${this.day.value} 00:00:00`, description: this.text.value.trim() });
    else missing.focus();
  }
}
