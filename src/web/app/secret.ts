/** Key in the session storage, which the browser clears when the tab is closed. */
const KEY = 'onwhere-secret';

/** Returns the project secret of this tab; empty if there is none. The page only sends it in the header of requests. */
export function readSecret(): string {
  return sessionStorage.getItem(KEY) ?? '';
}

/** Keeps the project secret until the tab is closed. */
export function writeSecret(secret: string): void {
  sessionStorage.setItem(KEY, secret);
}

/** Keeps the secret of a link such as `#secret=…`, which `onwhere serve --demo` prints, and removes it from the address. */
export function takeSecretOfLink(): void {
  const link = new URLSearchParams(location.hash.slice(1));
  const secret = link.get('secret');
  if (secret === null) return;
  writeSecret(secret);
  link.delete('secret');
  history.replaceState(null, '', link.size === 0 ? location.pathname : `#${link}`);
}
