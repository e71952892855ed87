/** Tabs that follow the ARIA Authoring Practices: arrows, Home and End move between them. */
export class Tabs {
  private readonly tabs: readonly HTMLElement[];

  /** @param onSelect Called with the name of the tab, which is its id after the hyphen. */
  constructor(list: HTMLElement, onSelect: (name: string) => void) {
    this.tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')];
    for (const tab of this.tabs) tab.addEventListener('click', () => onSelect(getName(tab)));
    list.addEventListener('keydown', (event) => {
      const next = this.findTarget(event.key);
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
      onSelect(getName(next));
    });
  }

  /** Shows one panel and hides the others. */
  show(name: string): void {
    for (const tab of this.tabs) {
      const shown = getName(tab) === name;
      tab.setAttribute('aria-selected', String(shown));
      tab.tabIndex = shown ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel !== null) panel.hidden = !shown;
    }
  }

  private findTarget(key: string): HTMLElement | undefined {
    const { tabs } = this;
    const at = tabs.findIndex((tab) => tab.matches(':focus'));
    if (key === 'Home') return tabs[0];
    if (key === 'End') return tabs.at(-1);
    if (key === 'ArrowRight') return tabs[(at + 1) % tabs.length];
    return key === 'ArrowLeft' ? tabs.at(at - 1) : undefined;
  }
}

function getName(tab: HTMLElement): string {
  return tab.id.slice(tab.id.indexOf('-') + 1);
}
