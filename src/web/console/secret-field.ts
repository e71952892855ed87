import { getById } from '../shared/dom.ts';
import { FieldError } from './fields/field-error.ts';

/** The key in the session storage, which lasts until the tab is closed. */
const KEY = 'onwhere-secret';

/** The field for the secret of the project. The secret is only sent in the header of requests. */
export class SecretField {
  private readonly input = getById<HTMLInputElement>('secret');
  private readonly error = new FieldError('error-secret', this.input);

  constructor(onChange: () => void) {
    this.input.value = sessionStorage.getItem(KEY) ?? '';
    this.input.after(this.error.root);
    getById('opening').addEventListener('submit', (event) => event.preventDefault());
    this.input.addEventListener('change', () => {
      sessionStorage.setItem(KEY, this.text);
      this.showError('');
      onChange();
    });
  }

  get text(): string {
    return this.input.value.trim();
  }

  showError(message: string): void {
    this.error.set(message);
  }
}
