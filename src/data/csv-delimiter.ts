/** The delimiters that are guessed, the usual one first. Each is one byte in UTF-8. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The rows of a sample that decide. */
const SAMPLE_ROWS = 20;

/** This many bytes are enough of a sample, so that an unclosed quote does not wait for the end of the file. */
const SAMPLE_BYTES = 2 ** 16;

/** A delimiter guessed from the first rows. */
export interface DelimiterGuess {
  /** A comma if the rows have a single column. */
  readonly delimiter: string;
  /** The number of cells of the header row. */
  readonly columns: number;
}

/**
 * Guesses the delimiter from the start of a file: the one that splits most rows into as many cells as the header row,
 * and of these the one with the most cells. Returns undefined if the start is too short to tell.
 *
 * @param isWhole Whether the text is the whole file.
 */
export function guessDelimiter(text: string, isWhole: boolean): DelimiterGuess | undefined {
  const rows = countDelimiters(text.slice(0, SAMPLE_BYTES), isWhole && text.length <= SAMPLE_BYTES);
  if (rows.length < SAMPLE_ROWS && !isWhole && text.length < SAMPLE_BYTES) return undefined;
  const [header, ...others] = rows;
  if (header === undefined) return { delimiter: ',', columns: 1 };
  let best = { delimiter: ',', columns: 1, alike: 0 };
  for (const [index, delimiter] of DELIMITERS.entries()) {
    const columns = (header[index] as number) + 1;
    const alike = others.filter((row) => row[index] === header[index]).length;
    const isBetter = best.columns === 1 || alike > best.alike || (alike === best.alike && columns > best.columns);
    if (columns > 1 && isBetter) best = { delimiter, columns, alike };
  }
  return best;
}

/** Counts each delimiter outside quotes, in each complete row that is not blank. */
function countDelimiters(text: string, isWhole: boolean): number[][] {
  const rows: number[][] = [];
  let counts = DELIMITERS.map(() => 0);
  let [rowAt, isOpen, isCellStart] = [0, false, true];
  const end = isWhole ? text.length : text.length - 1;
  for (let at = 0; at <= end && rows.length < SAMPLE_ROWS; at++) {
    const character = text[at];
    if (isOpen && character !== undefined) {
      if (character !== '"') continue;
      if (text[at + 1] === '"') at++;
      else isOpen = false;
      continue;
    }
    if (character === '"' && isCellStart) {
      isOpen = true;
      isCellStart = false;
    } else if (character === '\n' || character === '\r' || character === undefined) {
      if (at > rowAt) rows.push(counts);
      counts = DELIMITERS.map(() => 0);
      rowAt = at + 1;
      isCellStart = true;
    } else {
      const found = (DELIMITERS as readonly string[]).indexOf(character);
      if (found !== -1) counts[found] = (counts[found] as number) + 1;
      isCellStart = found !== -1;
    }
  }
  return rows;
}
