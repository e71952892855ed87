import { escapeUnprintable } from '../../../base/strings.ts';
import { createElement } from '../../../editor/dom.ts';

/** A labelled select of values in a result. The first one is selected. */
export class Chooser {
  readonly root: HTMLElement;
  private readonly select = createElement('select');

  constructor(label: string, onChange: () => void) {
    this.select.id = `choose-${label.toLowerCase()}`;
    this.root = createElement('span', {}, createElement('label', { for: this.select.id }, label), this.select);
    this.select.addEventListener('change', onChange);
  }

  get value(): string {
    return this.select.value;
  }

  /** Sets the choices, and hides the select if there is only one. */
  setChoices(choices: readonly string[]): void {
    const options = choices.map((choice) => createElement('option', { value: choice }, escapeUnprintable(choice)));
    this.select.replaceChildren(...options);
    this.root.hidden = choices.length < 2;
  }
}
