import { escapeUnprintable } from '../../util/printable.ts';
import { element } from '../../web/dom.ts';

/** A list to choose from what there is in an answer, of which the first is chosen. */
export class Chooser {
  readonly root: HTMLElement;
  private readonly select = element('select');

  constructor(label: string, chosen: () => void) {
    this.select.id = `choose-${label.toLowerCase()}`;
    this.root = element('span', {}, element('label', { for: this.select.id }, label), this.select);
    this.select.addEventListener('change', chosen);
  }

  get chosen(): string {
    return this.select.value;
  }

  /** Sets the choices. It is not seen where there is only one. */
  offer(choices: readonly string[]): void {
    const options = choices.map((choice) => element('option', { value: choice }, escapeUnprintable(choice)));
    this.select.replaceChildren(...options);
    this.root.hidden = choices.length < 2;
  }
}
