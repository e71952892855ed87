import { escapeUnprintable } from '../../../lang/util/strings.ts';
import { createElement } from '../../shared/dom.ts';

/** A list to choose from what there is in an answer, of which the first is chosen. */
export class Chooser {
  readonly root: HTMLElement;
  private readonly select = createElement('select');

  constructor(label: string, chosen: () => void) {
    this.select.id = `choose-${label.toLowerCase()}`;
    this.root = createElement('span', {}, createElement('label', { for: this.select.id }, label), this.select);
    this.select.addEventListener('change', chosen);
  }

  get chosen(): string {
    return this.select.value;
  }

  /** Sets the choices. It is not seen where there is only one. */
  offer(choices: readonly string[]): void {
    const options = choices.map((choice) => createElement('option', { value: choice }, escapeUnprintable(choice)));
    this.select.replaceChildren(...options);
    this.root.hidden = choices.length < 2;
  }
}
