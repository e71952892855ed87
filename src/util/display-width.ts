const ZERO_WIDTH = /^[\p{Mark}\p{Format}\p{Control}]$/u;
const DOUBLE_WIDTH =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6])$/u;

/** Terminal columns that the text takes: East Asian and emoji characters take two, combining marks none. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (ZERO_WIDTH.test(character)) continue;
    width += DOUBLE_WIDTH.test(character) ? 2 : 1;
  }
  return width;
}
