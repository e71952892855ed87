import { signal } from '@preact/signals';
import { isJsonObject } from '../../base/json.ts';
import { isQuestionLink } from '../questions/state.ts';

/** A question that someone has kept, as the fragment of its link. */
export interface SavedQuestion {
  readonly name: string;
  readonly link: string;
}

/** Key in the local storage: questions are kept in the browser, not on a server. */
const KEY = 'onwhere-saved-questions';

/** A board with more would not be read. */
const MAX_QUESTIONS = 100;

/** Limit of a name in characters. */
const MAX_NAME = 200;

/** The saved questions of the browser. */
export class SavedQuestions {
  readonly list = signal<readonly SavedQuestion[]>(read());
  /** The questions before the last change, which can be undone. */
  readonly before = signal<readonly SavedQuestion[] | undefined>(undefined);

  /** Saves a question. One with the same name is replaced. */
  save(question: SavedQuestion): void {
    this.add([question]);
  }

  /** Adds questions. Those with the same name are replaced. */
  add(questions: readonly SavedQuestion[]): void {
    const added = new Map([...this.list.value, ...questions].map((question) => [question.name, question]));
    this.set([...added.values()].slice(-MAX_QUESTIONS));
  }

  remove(name: string): void {
    this.set(this.list.value.filter((question) => question.name !== name));
  }

  /** Takes back the last change. */
  undo(): void {
    const before = this.before.value;
    if (before !== undefined) this.set(before);
    this.before.value = undefined;
  }

  private set(questions: readonly SavedQuestion[]): void {
    this.before.value = this.list.value;
    this.list.value = questions;
    localStorage.setItem(KEY, formatQuestions(questions));
  }
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
  let questions: unknown;
  try {
    questions = JSON.parse(json);
  } catch {
    return undefined;
  }
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
