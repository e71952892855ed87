/** Searches the history backwards for entries that contain what is typed, as Ctrl-R does in a shell. */
export class HistorySearch {
  private query = '';
  private index: number;
  private found: string | undefined;
  private isFailing = false;

  /** @param draft The line before the search. */
  constructor(
    private readonly entries: readonly string[],
    readonly draft: string,
  ) {
    this.index = entries.length;
  }

  /** Adds to what is searched for. Keeps the match if it still fits. */
  type(text: string): void {
    this.query += text;
    this.find(this.index);
  }

  /** Removes the last character of what is searched for, and starts again at the newest entry. */
  erase(): void {
    this.query = Array.from(this.query).slice(0, -1).join('');
    this.index = this.entries.length;
    this.found = undefined;
    this.find(this.index);
  }

  /** Goes to the next older match. */
  goOlder(): void {
    this.find(this.index - 1);
  }

  get prompt(): string {
    return `(${this.isFailing ? 'no match' : 'search'}: ${this.query}) `;
  }

  /** The matching entry, or the draft without one. */
  get line(): string {
    return this.found ?? this.draft;
  }

  /** The place of the match in the line. */
  get cursor(): number {
    return this.found === undefined ? this.draft.length : this.found.indexOf(this.query);
  }

  /** Goes to the newest match at an index or before it that differs from the current one, if there is one. */
  private find(from: number): void {
    if (this.query === '') {
      this.isFailing = false;
      return;
    }
    for (let index = Math.min(from, this.entries.length - 1); index >= 0; index--) {
      const entry = this.entries[index] as string;
      if (!entry.includes(this.query) || (from < this.index && entry === this.found)) continue;
      Object.assign(this, { index, found: entry, isFailing: false });
      return;
    }
    this.isFailing = true;
  }
}
