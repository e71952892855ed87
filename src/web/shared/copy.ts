import { signal } from '@preact/signals';

/** A short message about what was copied or saved, for the header of the page. */
export const copied = signal('');

/** Copies a string to the clipboard, and says whether that worked. */
export async function copyToClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    copied.value = 'Copied.';
  } catch {
    // Browsers allow this only on secure origins: https and localhost.
    copied.value = 'The browser did not allow copying.';
  }
}
