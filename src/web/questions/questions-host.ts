import type { KnownNames } from './known-names.ts';

/** The parts of the page around the questions. */
export interface QuestionsHost {
  /** Saves the state of the page in its link, soon: it may change again. */
  saveLinkSoon(): void;
  /** Saves the state of the page in its link. */
  saveLink(): void;
  /** Shows the links to all questions again: the values that they carry have changed. */
  showLinks(): void;
  /** Shows the properties of the data. */
  showProperties(names: KnownNames): Promise<void>;
  /** Shows that the server refuses the secret. An empty message removes the error. */
  showAccessError(message: string): void;
}
