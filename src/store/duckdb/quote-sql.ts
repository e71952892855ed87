/** A text as SQL. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The name of a file as SQL, for functions that take a pattern: no character of it stands for others. */
export function quoteFile(file: string): string {
  return quoteText(file.replace(/[*?[\\]/g, '[$&]'));
}
