import { createElement } from '../../../editor/dom.ts';

/** Pixels between the tip and its row, so that the tip is not under the pointer. */
const GAP = 6;

/** A tooltip for rows of a table, shown on hover and focus. Escape hides it. */
export class Tip {
  readonly root = createElement('div', { role: 'tooltip', id: 'tip', class: 'tip', hidden: '' });

  constructor() {
    document.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.hide();
    });
    document.addEventListener('scroll', () => this.hide(), { capture: true, passive: true });
  }

  /** Adds a tip to a row. It also describes the button of the row for screen readers. */
  attach(row: HTMLElement, button: HTMLElement, text: () => string): void {
    const show = () => this.show(row, text());
    row.addEventListener('mouseenter', show);
    row.addEventListener('mouseleave', () => this.hide());
    button.addEventListener('focus', () => {
      show();
      button.setAttribute('aria-describedby', this.root.id);
    });
    button.addEventListener('blur', () => {
      this.hide();
      button.removeAttribute('aria-describedby');
    });
  }

  hide(): void {
    this.root.hidden = true;
  }

  private show(row: HTMLElement, text: string): void {
    const { root } = this;
    root.textContent = text;
    root.hidden = text === '';
    const { bottom, top, left } = row.getBoundingClientRect();
    const scrolled = row.closest('.scroll')?.getBoundingClientRect().left ?? left;
    const below = bottom + GAP + root.offsetHeight < window.innerHeight;
    root.style.top = `${below ? bottom + GAP : top - GAP - root.offsetHeight}px`;
    root.style.left = `${Math.max(left, scrolled) + GAP}px`;
  }
}
