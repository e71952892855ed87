/** A string as SQL. A statement ends at U+0000, which is therefore written as a call. */
export function quoteSqlString(text: string): string {
  const quoted = text.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  return quoted.length === 1 ? quoted.join() : `(${quoted.join(' || chr(0) || ')})`;
}

/** The name of a file as SQL, for functions that take a pattern: no character of it stands for others. */
export function quoteFile(file: string): string {
  return quoteSqlString(file.replace(/[*?[\\]/g, '[$&]'));
}
