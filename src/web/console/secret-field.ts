import { getById } from '../shared/dom.ts';
import { Complaint } from './fields/complaint.ts';

/** Where the secret is kept until the tab is closed. */
const KEY = 'onwhere-secret';

/** The secret of the project. It goes nowhere but into the header of requests. */
export class SecretField {
  private readonly input = getById<HTMLInputElement>('secret');
  private readonly complaint = new Complaint('complaint-secret', this.input);

  constructor(changed: () => void) {
    this.input.value = sessionStorage.getItem(KEY) ?? '';
    this.input.after(this.complaint.root);
    getById('opening').addEventListener('submit', (event) => event.preventDefault());
    this.input.addEventListener('change', () => {
      sessionStorage.setItem(KEY, this.text);
      this.complain('');
      changed();
    });
  }

  get text(): string {
    return this.input.value.trim();
  }

  complain(message: string): void {
    this.complaint.set(message);
  }
}
