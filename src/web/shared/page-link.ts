/** Milliseconds without a change before the link is saved. Browsers refuse a link for each key press. */
const DELAY = 250;

/** Keeps the state of a page in the fragment of its address, which browsers do not send to servers. */
export class PageLink {
  /** The last fragment that was saved or followed. */
  private known = location.hash;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param current Returns the fragment of the current state.
   * @param follow Sets the state of another fragment.
   */
  constructor(
    private readonly current: () => string,
    follow: (fragment: string) => void,
  ) {
    window.addEventListener('hashchange', () => {
      this.known = location.hash;
      follow(this.known);
    });
  }

  /** Saves the state once it has not changed for a moment. */
  saveSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), DELAY);
  }

  save(): void {
    // The user has just followed a link, whose event comes later.
    if (location.hash !== this.known) return;
    history.replaceState(null, '', `#${this.current()}`);
    this.known = location.hash;
  }
}

const SHARE = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** Formats a part of a whole: `11.7%`. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '–' : SHARE.format(part / whole);
}
