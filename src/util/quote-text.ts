const UNSAFE = /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu;

/**
 * A text in double quotes, as JSON and as a literal of the language, with as few escapes as a terminal or an editor lets be: what
 * controls them is escaped.
 */
export function quoteString(text: string): string {
  return JSON.stringify(text).replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A property as it is written in an expression. */
export function formatProperty(scope: string, name: string): string {
  return `${scope}[${quoteString(name)}]`;
}
