import type { BatchColumn } from '../../plan/column.ts';
import { compactStrings } from './compact-texts.ts';
import { computeSignatures } from './text-signatures.ts';

/** Fewer entries than this are searched before they could be prepared for it. */
const MIN_ENTRIES = 1000;

/** Prepares a column of many texts, such as URLs, for searches. */
export function addSignatures(column: BatchColumn): BatchColumn {
  if (column.dictionary.length < MIN_ENTRIES) return column;
  const dictionary = compactStrings(column.dictionary);
  return { ...column, dictionary, signatures: computeSignatures(dictionary) };
}
