/** Text that is safe to show: control characters, halves of surrogate pairs and marks that turn the writing direction are replaced. */
export function printable(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}
