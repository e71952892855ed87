import { getById } from '../shared/dom.ts';
import { FieldError } from './fields/field-error.ts';

/** Key in the session storage, which the browser clears when the tab is closed. */
const KEY = 'onwhere-secret';

/** The project secret. The page only sends it in the `Authorization` header of requests. */
export class SecretField {
  private readonly input = getById<HTMLInputElement>('secret');
  private readonly error = new FieldError('error-secret', this.input);

  constructor({ onChange, onEnter }: { readonly onChange: () => void; readonly onEnter: () => void }) {
    takeSecretOfLink();
    this.input.value = sessionStorage.getItem(KEY) ?? '';
    this.input.after(this.error.root);
    getById('opening').addEventListener('submit', (event) => {
      event.preventDefault();
      // The browser has sent the change before.
      onEnter();
    });
    this.input.addEventListener('change', () => {
      sessionStorage.setItem(KEY, this.value);
      this.setError('');
      onChange();
    });
  }

  get value(): string {
    return this.input.value.trim();
  }

  setError(message: string): void {
    this.error.set(message);
  }
}

/** Keeps the secret of a link such as `#secret=…`, which `onwhere serve --demo` prints, and removes it from the address. */
function takeSecretOfLink(): void {
  const link = new URLSearchParams(location.hash.slice(1));
  const secret = link.get('secret');
  if (secret === null) return;
  sessionStorage.setItem(KEY, secret);
  link.delete('secret');
  history.replaceState(null, '', link.size === 0 ? location.pathname : `#${link}`);
}
