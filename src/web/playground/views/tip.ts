import { createElement } from '../../shared/dom.ts';

/** Far enough from the pointer not to lie under it. */
const GAP = 6;

/** A tip beside a row of a table, while the pointer or the focus is on it. Escape hides it. */
export class Tip {
  readonly root = createElement('div', { role: 'tooltip', id: 'tip', class: 'tip', hidden: '' });

  constructor() {
    document.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.hide();
    });
    document.addEventListener('scroll', () => this.hide(), { capture: true, passive: true });
  }

  /** Gives a row a tip, which also describes its button to those who do not see it. */
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
