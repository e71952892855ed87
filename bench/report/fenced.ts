/** A block of code in Markdown. */
export function fenced(language: string, text = ''): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
