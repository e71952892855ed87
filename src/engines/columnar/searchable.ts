import type { BatchColumn } from '../../plan/column.ts';
import { compactTexts } from './compact-texts.ts';
import { signaturesOf } from './text-signatures.ts';

/** Fewer entries than this are searched before they could be prepared for it. */
const MANY = 1000;

/** Prepares a column of many texts, such as URLs, for searches. */
export function searchable(column: BatchColumn): BatchColumn {
  if (column.dictionary.length < MANY) return column;
  const dictionary = compactTexts(column.dictionary);
  return { ...column, dictionary, signatures: signaturesOf(dictionary) };
}
