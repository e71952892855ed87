/** Quotes a string as SQL. U+0000 would end the statement, so it is written as `chr(0)`. */
export function quoteSqlString(text: string): string {
  const quoted = text.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  return quoted.length === 1 ? quoted.join() : `(${quoted.join(' || chr(0) || ')})`;
}

/** Quotes a path as SQL for functions that take a glob pattern. */
export function quoteFile(file: string): string {
  return quoteSqlString(quoteWildcards(file));
}

/** Returns the glob pattern that matches exactly one path. */
export function quoteWildcards(file: string): string {
  return file.replace(/[*?[\\]/g, '[$&]');
}
