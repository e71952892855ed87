/** What was entered before, to go back to. */
export class History {
  private readonly entries: string[];
  private index: number;
  private draft = '';

  /** @param keep Takes what is entered, to be there the next time. */
  constructor(
    entries: readonly string[],
    private readonly keep: (entry: string) => void,
  ) {
    this.entries = [...entries];
    this.index = this.entries.length;
  }

  /** Goes behind the last entry. */
  rewind(): void {
    this.index = this.entries.length;
  }

  /** Adds an entry, unless it is that of before, or begins with a space to be forgotten. */
  add(input: string): void {
    const entry = toLine(input);
    if (entry.trim() !== '' && !entry.startsWith(' ') && entry !== this.entries.at(-1)) {
      this.entries.push(entry);
      this.keep(entry);
    }
  }

  /** The entry before that begins like what was typed before going back; undefined where there is none. */
  previous(line: string): string | undefined {
    if (this.index === this.entries.length) this.draft = line;
    return this.go(-1, line);
  }

  /** The entry after, or at the end what was typed before going back. */
  next(line: string): string | undefined {
    if (this.index === this.entries.length) return undefined;
    const entry = this.go(1, line);
    if (entry === undefined) this.rewind();
    return entry ?? this.draft;
  }

  private go(by: 1 | -1, line: string): string | undefined {
    for (let index = this.index + by; this.entries[index] !== undefined; index += by) {
      const entry = this.entries[index] as string;
      if (!entry.startsWith(this.draft) || entry === line) continue;
      this.index = index;
      return entry;
    }
    return undefined;
  }
}

/** A text of several lines as one: to the language, a line break is a space. */
export function toLine(text: string): string {
  return text.replace(/^\s*[\r\n]\s*|\s*[\r\n]\s*$/g, '').replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ');
}
