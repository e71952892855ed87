/** The little Markdown of completions and hovers as elements: paragraphs and `code`. All else is text. */
export function renderDocumentation(markdown: string): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-onwhere-documentation';
  for (const paragraph of markdown.split(/\n{2,}/)) {
    dom.appendChild(document.createElement('p')).append(...paragraph.split(/(`[^`]+`)/).map(inline));
  }
  return dom;
}

function inline(text: string): HTMLElement | string {
  if (!/^`[^`]+`$/.test(text)) return text;
  const code = document.createElement('code');
  code.textContent = text.slice(1, -1);
  return code;
}
