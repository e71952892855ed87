/** Inline code in Markdown: as many backticks on both sides, with spaces inside them if the code has backticks. */
const CODE = /(?<!`)(`+)(?!`) ?(.+?) ?(?<!`)\1(?!`)/g;

/** Renders the Markdown of completions and hovers: paragraphs and inline code. Everything else is plain text. */
export function renderDocumentation(markdown: string): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-onwhere-documentation';
  for (const paragraph of markdown.split(/\n{2,}/)) {
    const element = dom.appendChild(document.createElement('p'));
    let end = 0;
    for (const { 0: written, 2: code = '', index } of paragraph.matchAll(CODE)) {
      element.append(paragraph.slice(end, index), createCode(code));
      end = index + written.length;
    }
    element.append(paragraph.slice(end));
  }
  return dom;
}

function createCode(text: string): HTMLElement {
  const code = document.createElement('code');
  code.textContent = text;
  return code;
}
