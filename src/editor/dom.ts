type Child = Node | string;

/** Creates an element with attributes and children. Strings become text nodes and are never parsed as HTML. */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Creates a button with a click handler. */
export function createButton(
  attributes: Readonly<Record<string, string>>,
  label: Child,
  onClick: () => void,
): HTMLButtonElement {
  const button = createElement('button', { type: 'button', ...attributes }, label);
  button.addEventListener('click', onClick);
  return button;
}
