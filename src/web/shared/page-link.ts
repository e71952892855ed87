/** Milliseconds without a change before the link is saved. Browsers limit how often a page may change its address. */
const DELAY = 250;

/** Keeps the state of a page in the fragment of its address, which browsers do not send to servers. */
export class PageLink {
  /** The fragment that the page last read or wrote. */
  private known = location.hash;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param format Returns the fragment of the current state.
   * @param follow Sets the state of another fragment.
   */
  constructor(
    private readonly format: () => string,
    follow: (fragment: string) => void,
  ) {
    window.addEventListener('hashchange', () => {
      this.known = location.hash;
      follow(this.known);
    });
    // A click can lead away, and the browser goes back to what was saved.
    for (const event of ['click', 'pagehide'])
      window.addEventListener(event, () => this.timer !== undefined && this.save(), { capture: true });
  }

  /** Saves the state once it has not changed for a moment. */
  saveSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), DELAY);
  }

  /** Keeps the state one step back in the history, before much of it is replaced. */
  push(): void {
    this.save();
    history.pushState(history.state, '', location.hash);
  }

  save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    // The user has just followed a link, and its `hashchange` event is still to come.
    if (location.hash !== this.known) return;
    history.replaceState(history.state, '', `#${this.format()}`);
    this.known = location.hash;
  }
}

const SHARE = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** Formats a share: `11.7%`. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : SHARE.format(part / whole);
}
