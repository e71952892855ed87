import { createElement } from '../../../editor/dom.ts';

/** The error message of a control, shown next to it and linked for screen readers. */
export class FieldError {
  readonly root: HTMLElement;

  constructor(
    id: string,
    private readonly control: Element,
  ) {
    this.root = createElement('p', { class: 'field-error error', id });
    this.set('');
  }

  set(message: string): void {
    const { root, control } = this;
    root.textContent = message;
    root.hidden = message === '';
    if (message === '') {
      control.removeAttribute('aria-invalid');
      control.removeAttribute('aria-describedby');
    } else {
      control.setAttribute('aria-invalid', 'true');
      control.setAttribute('aria-describedby', root.id);
    }
  }
}
