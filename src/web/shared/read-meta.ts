/** Reads what the program that serves the page has written into it. */
export function readMeta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';
}
