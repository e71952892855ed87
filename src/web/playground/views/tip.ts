import { createElement } from '../../shared/dom.ts';

/** Pixels between the row and the tooltip. */
const GAP = 6;

/** A tooltip for the rows of a table, on hover and focus. Escape hides it. */
export class Tip {
  readonly root = createElement('div', { role: 'tooltip', id: 'tip', class: 'tip', hidden: '' });

  constructor() {
    document.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.hide();
    });
    document.addEventListener('scroll', () => this.hide(), { capture: true, passive: true });
  }

  /** Adds a tooltip to a row, which also describes its button to screen readers. */
  describe(row: HTMLElement, described: HTMLElement, text: () => string): void {
    const show = () => this.show(row, text());
    row.addEventListener('mouseenter', show);
    row.addEventListener('mouseleave', () => this.hide());
    described.addEventListener('focus', () => {
      show();
      described.setAttribute('aria-describedby', this.root.id);
    });
    described.addEventListener('blur', () => {
      this.hide();
      described.removeAttribute('aria-describedby');
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
