/** Code as Markdown has it: between as many backticks on either side, with a space within them where it holds some itself. */
const CODE = /(?<!`)(`+)(?!`) ?(.+?) ?(?<!`)\1(?!`)/g;

/** The little Markdown of completions and hovers as elements: paragraphs and `code`. All else is text. */
export function renderDocumentation(markdown: string): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-onwhere-documentation';
  for (const paragraph of markdown.split(/\n{2,}/)) {
    const element = dom.appendChild(document.createElement('p'));
    let done = 0;
    for (const { 0: written, 2: code = '', index } of paragraph.matchAll(CODE)) {
      element.append(paragraph.slice(done, index), codeOf(code));
      done = index + written.length;
    }
    element.append(paragraph.slice(done));
  }
  return dom;
}

function codeOf(text: string): HTMLElement {
  const code = document.createElement('code');
  code.textContent = text;
  return code;
}
