/** Whoever types fast needs no link for each letter; browsers refuse so many. */
const DELAY = 250;

/** The link to what is set on a page: the fragment of its address, which no server gets to see. */
export class PageLink {
  /** The fragment that the page knows of. */
  private known = location.hash;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `current` is the fragment of what is set; `follow` sets what another says. */
  constructor(
    private readonly current: () => string,
    follow: (fragment: string) => void,
  ) {
    window.addEventListener('hashchange', () => {
      this.known = location.hash;
      follow(this.known);
    });
  }

  /** Saves what is set, once nothing more is set for a moment. */
  saveSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), DELAY);
  }

  save(): void {
    // Of a link that somebody has just chosen, browsers tell a little later.
    if (location.hash !== this.known) return;
    history.replaceState(null, '', `#${this.current()}`);
    this.known = location.hash;
  }
}

const SHARE = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** A part of a whole: `11.7%`. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : SHARE.format(part / whole);
}
