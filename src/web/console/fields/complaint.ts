import { createElement } from '../../shared/dom.ts';

/** What is wrong with a control, beside it; also for those who do not see it. */
export class Complaint {
  readonly root: HTMLElement;

  constructor(
    id: string,
    private readonly control: Element,
  ) {
    this.root = createElement('p', { class: 'complaint error', id });
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
