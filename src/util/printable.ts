/** Text that is safe to show: control characters, halves of surrogate pairs and marks that turn the writing direction are replaced. */
export function escapeUnprintable(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\p{Cc}\p{Cs}\u2028\u2029\p{Bidi_Control}]/gu, '\ufffd');
}
