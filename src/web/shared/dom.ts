/**
 * Returns the element of the page with this id.
 *
 * @throws {Error} if there is none.
 */
export function getById<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element with the id ${id}`);
  return found as E;
}

/** Copies a string to the clipboard, and shows in the header of the page whether that worked. */
export async function copyToClipboard(text: string): Promise<void> {
  const status = getById('copied');
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = 'Copied.';
  } catch {
    // Browsers allow this only on secure origins: https and localhost.
    status.textContent = 'The browser did not allow copying.';
  }
}
