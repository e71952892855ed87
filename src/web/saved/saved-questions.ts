import { signal } from '@preact/signals';
import { isJsonObject } from '../../base/json.ts';
import { pluralize } from '../../base/strings.ts';
import { tryParseJson } from '../../data/try-parse-json.ts';
import { isQuestionLink } from '../questions/state.ts';

/** A question that someone has kept, as the fragment of its link. */
export interface SavedQuestion {
  readonly name: string;
  readonly link: string;
}

/** Key in the local storage: questions are kept in the browser, not on a server. */
const KEY = 'onwhere-saved-questions';

/** The most questions of a browser or a board. */
const MAX_QUESTIONS = 100;

/** Limit of a name in characters. */
const MAX_NAME = 200;

/** The saved questions of the browser. */
export class SavedQuestions {
  readonly list = signal<readonly SavedQuestion[]>(read());
  /** The questions before the last change, which can be undone. */
  readonly before = signal<readonly SavedQuestion[] | undefined>(undefined);
  /** Says what the last change did, or why it was not made. */
  readonly note = signal('');
  /** The name of the saved question that the page shows, maybe changed since. The entry of the history keeps it. */
  readonly opened = signal('');
  /** Whether only this page has the questions: the browser did not store them. */
  private isUnstored = false;

  constructor() {
    window.addEventListener('storage', () => {
      // Another tab has saved some. Those of this one would replace them.
      if (!this.isUnstored) this.list.value = read();
    });
    window.addEventListener('beforeunload', (event) => {
      if (this.isUnstored) event.preventDefault();
    });
  }

  /** Follows the link of the page, which may be that of a saved question. */
  follow(fragment: string): void {
    const link = fragment.replace(/^#/, '');
    const { saved = this.list.value.find((question) => question.link === link)?.name ?? '' } = history.state ?? {};
    this.open(saved);
  }

  /** Saves the question that the page shows. One with the same name is replaced. */
  save(question: SavedQuestion): void {
    if (this.add([question])) this.open(question.name);
  }

  /** Adds questions. Those with the same name are replaced. Returns false if there are too many. */
  add(questions: readonly SavedQuestion[]): boolean {
    const known = new Set(this.list.value.map(({ name }) => name));
    const added = new Map([...this.list.value, ...questions].map((question) => [question.name, question]));
    const isPossible = added.size <= MAX_QUESTIONS;
    const replaced = questions.filter(({ name }) => known.has(name)).length;
    if (isPossible) this.set([...added.values()], describeChange(questions.length - replaced, replaced));
    else this.note.value = `A browser keeps at most ${MAX_QUESTIONS} questions: remove some first.`;
    return isPossible;
  }

  remove(name: string): void {
    this.set(
      this.list.value.filter((question) => question.name !== name),
      'Removed.',
    );
  }

  /** Takes back the last change. */
  undo(): void {
    const before = this.before.value;
    if (before !== undefined) this.set(before, '');
    this.before.value = undefined;
  }

  private open(name: string): void {
    this.opened.value = name;
    history.replaceState({ saved: name }, '');
  }

  private set(questions: readonly SavedQuestion[], note: string): void {
    this.before.value = this.list.value;
    this.list.value = questions;
    this.note.value = note;
    try {
      localStorage.setItem(KEY, formatQuestions(questions));
      this.isUnstored = false;
    } catch {
      this.isUnstored = true;
      this.note.value = 'The browser cannot store them. Export them before you close this page.';
    }
  }
}

function describeChange(added: number, replaced: number): string {
  const parts = [
    ...(added > 0 ? [`${pluralize(added, 'question')} saved`] : []),
    ...(replaced > 0 ? [`${pluralize(replaced, 'question')} replaced`] : []),
  ];
  return `${parts.join(', ')}.`;
}

function read(): readonly SavedQuestion[] {
  return parseQuestions(localStorage.getItem(KEY) ?? '[]') ?? [];
}

/** Formats questions as a JSON file or a part of a link. */
export function formatQuestions(questions: readonly SavedQuestion[]): string {
  return JSON.stringify(questions);
}

/** Parses saved questions, which anyone may have written. Returns undefined if they are none. */
export function parseQuestions(json: string): readonly SavedQuestion[] | undefined {
  const questions = tryParseJson(json);
  if (!Array.isArray(questions) || questions.length > MAX_QUESTIONS) return undefined;
  const read = questions.flatMap((question: unknown) => {
    if (!isJsonObject(question)) return [];
    const { name, link } = question;
    if (typeof name !== 'string' || typeof link !== 'string' || !isQuestionLink(link)) return [];
    return [{ name: name.slice(0, MAX_NAME), link }];
  });
  return read.length === questions.length ? read : undefined;
}

/** Returns the questions of the link to a board; undefined for other links. An empty board is that of the browser. */
export function parseBoardLink(fragment: string): readonly SavedQuestion[] | undefined {
  const board = new URLSearchParams(fragment.replace(/^#/, '')).get('board');
  return board === null ? undefined : (parseQuestions(board) ?? []);
}

/** Formats the link to a board with these questions. */
export function formatBoardLink(questions: readonly SavedQuestion[]): string {
  return String(new URLSearchParams({ board: formatQuestions(questions) }));
}
