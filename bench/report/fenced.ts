/** Renders a block of code in Markdown. */
export function renderCode(language: string, text = ''): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
