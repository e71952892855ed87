type Child = Node | string;

/** Creates an element with attributes and children. Strings become text, never HTML. */
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

/** Creates a button. */
export function createButton(
  attributes: Readonly<Record<string, string>>,
  text: Child,
  onClick: () => void,
): HTMLButtonElement {
  const button = createElement('button', { type: 'button', ...attributes }, text);
  button.addEventListener('click', onClick);
  return button;
}

/** Returns the element with an id, which the page must have. */
export function getById<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}`);
  return found as E;
}
