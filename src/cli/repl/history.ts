import { HistorySearch } from './history-search.ts';

/** The history of inputs. */
export class History {
  private readonly entries: string[];
  private index: number;
  private draft = '';

  /** @param keep Saves an entry for later runs. */
  constructor(
    entries: readonly string[],
    private readonly keep: (entry: string) => void,
  ) {
    this.entries = [...entries];
    this.index = this.entries.length;
  }

  /** Starts a search from a line. */
  search(draft: string): HistorySearch {
    return new HistorySearch(this.entries, draft);
  }

  /** Moves past the last entry. */
  rewind(): void {
    this.index = this.entries.length;
  }

  /** Adds an entry, unless it repeats the last one or begins with a space. */
  add(input: string): void {
    const entry = toLine(input);
    if (entry.trim() !== '' && !entry.startsWith(' ') && entry !== this.entries.at(-1)) {
      this.entries.push(entry);
      this.keep(entry);
    }
  }

  /** Returns the previous entry that begins with the draft (the line typed before moving back), if there is one. */
  previous(line: string): string | undefined {
    if (this.index === this.entries.length) this.draft = line;
    return this.go(-1, line);
  }

  /** Returns the next entry that begins with the draft, or the draft at the end. */
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

/** Joins several lines into one. A line break is a space in the language. */
export function toLine(text: string): string {
  return text.replace(/^\s*[\r\n]\s*|\s*[\r\n]\s*$/g, '').replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ');
}
