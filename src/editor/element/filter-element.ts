import { type CheckResult, check, format } from '../../api/expressions.ts';
import { fromForm, toForm } from '../../api/forms.ts';
import { findRelations } from '../../api/relate.ts';
import type { Use } from '../../lang/check/check.ts';
import type { Schema } from '../../lang/check/schema.ts';
import { SETTLING_TIME, selectSettled } from '../calm.ts';
import { createButton, createElement } from '../dom.ts';
import { LazyField } from './lazy-field.ts';
import { getSheet } from './look.ts';
import { RowBuilder } from './row-builder.ts';
import { type FilterNote, showFindings } from './show-findings.ts';
import type { TextFieldOptions } from './text-field.ts';

const EMPTY: CheckResult = { ok: true, types: [], properties: [], readsTime: false, diagnostics: [] };

/** In UTF-16 units. */
const MAX_LENGTH = 5_000_000;

/** The element of pages, or on servers, which only render it, a class without one. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * `<onwhere-filter>`: a field for an expression, as text and as rows of conditions.
 *
 * It takes part in forms like a `textarea`: `name`, `value`, `required`, `disabled` and `placeholder`, labels, the events
 * `input` and `change`, and validity. `label` is shown above it. `use` is what the expression is for: `where`, `on`,
 * `number` or `value`; only filters have rows. `rows` shows the rows, and is set while they are shown. `time-zone` is
 * that of dates without one; UTC if it is absent.
 */
export class FilterElement extends Base {
  static readonly formAssociated = true;
  static readonly observedAttributes = ['value', 'required', 'use', 'rows', 'time-zone', 'label', 'placeholder'];

  // The entry makes these attributes properties too.
  declare name: string;
  /** The value of a new field, and the one that a reset of its form restores: the attribute `value`. */
  declare defaultValue: string;
  /** The label above the field. */
  declare label: string;
  declare placeholder: string;
  declare required: boolean;
  declare disabled: boolean;
  /** Whether the rows of conditions are shown. */
  declare rows: boolean;
  /** The use of the expression: `where` for a filter, or `on`, `number` or `value`. */
  declare use: Use;
  /** The IANA name of the time zone of dates without one. */
  declare timeZone: string;

  readonly #internals = this.attachInternals();
  readonly #caption = createElement('div', { class: 'label', part: 'label' });
  readonly #messages = createElement('div', { class: 'messages', part: 'messages', role: 'status' });
  readonly #toggle = createButton({ class: 'toggle', part: 'button' }, 'Conditions', () =>
    this.toggleAttribute('rows'),
  );
  readonly #formatter = createButton({ class: 'format', part: 'button' }, 'Format', () => this.#format());
  readonly #builder = new RowBuilder((form) => {
    // The check says that a filter is too long.
    this.#edit(fromForm(form, { limits: { length: MAX_LENGTH } }));
  });
  readonly #field: LazyField;
  #knownSchema: Schema | undefined;
  #ownNotes: readonly FilterNote[] = [];
  #checked = EMPTY;
  /** The text that the rows show. */
  #built: string | undefined;
  #isEdited = false;
  /** A mistake that the page found, or an empty string. */
  #customError = '';
  #shownMessages = '';
  /** The text at the last event `change`. */
  #committed = '';
  #isSettled = true;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #connection = new AbortController();

  constructor() {
    super();
    this.#field = new LazyField(this.#options, (textChanged) => this.#follow(textChanged));
    const shadow = this.attachShadow({ mode: 'open', delegatesFocus: true });
    shadow.adoptedStyleSheets = [getSheet()];
    // The element has its own events: those of the fields inside would confuse a page.
    for (const event of ['input', 'change']) shadow.addEventListener(event, (inner) => inner.stopPropagation());
    shadow.addEventListener('focusout', (event) => {
      const { relatedTarget } = event as FocusEvent;
      if (!(relatedTarget instanceof Node && shadow.contains(relatedTarget))) this.#leave();
    });
    // A page can change its own labels.
    shadow.addEventListener('focusin', () => this.#describe());
    this.#caption.addEventListener('click', () => this.focus());
    const tools = createElement('div', { class: 'tools', part: 'tools' }, this.#toggle, this.#formatter);
    shadow.append(this.#caption, this.#field.root, this.#messages, tools, this.#builder.root);
    // A page can have set properties before the element was defined.
    for (const name of Object.keys(this)) {
      if (!(name in FilterElement.prototype)) continue;
      const value = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
  }

  connectedCallback(): void {
    this.#connection = new AbortController();
    this.#describe();
    this.#update();
    void this.#field.connect(this.#connection.signal);
  }

  disconnectedCallback(): void {
    this.#connection.abort();
    clearTimeout(this.#settling);
    // An element that a page only moves is back by then.
    queueMicrotask(() => {
      if (!this.isConnected) this.#field.unload();
    });
  }

  attributeChangedCallback(name: string): void {
    if (name === 'value' && !this.#isEdited) this.#setText(this.defaultValue);
    else if (name === 'label' || name === 'placeholder') this.#describe();
    else {
      if (name === 'required') this.#describe();
      this.#field.options = this.#options;
      this.#update();
    }
  }

  formResetCallback(): void {
    this.#isEdited = false;
    this.#setText(this.defaultValue);
  }

  formDisabledCallback(disabled: boolean): void {
    this.#field.disabled = disabled;
    for (const button of [this.#toggle, this.#formatter]) button.disabled = disabled;
    this.#update();
  }

  formStateRestoreCallback(state: string): void {
    this.value = state;
  }

  /** The source of the expression. */
  get value(): string {
    return this.#field.text;
  }

  set value(value: string | null | undefined) {
    this.#isEdited = true;
    this.#setText(String(value ?? ''));
  }

  /** The known properties, for completion, checks and rows. */
  get schema(): Schema | undefined {
    return this.#knownSchema;
  }

  set schema(schema: Schema | null | undefined) {
    this.#knownSchema = schema ?? undefined;
    // Rows that someone is filling in stay.
    if (!this.#builder.root.matches(':focus-within')) this.#built = undefined;
    this.#field.options = this.#options;
    this.#update();
  }

  /** Findings of your own, shown with those of the check. */
  get notes(): readonly FilterNote[] {
    return this.#ownNotes;
  }

  set notes(notes: readonly FilterNote[] | null | undefined) {
    this.#ownNotes = notes ?? [];
    this.#showMessages();
  }

  /** The result of the check of the current source. A blank source is valid. */
  get result(): CheckResult {
    return this.#checked;
  }

  /** `onwhere-filter`, as that of a `textarea` is `textarea`. */
  get type(): string {
    return this.localName;
  }

  /** The form of the field. React also sets it, to the id of a form: the attribute `form`. */
  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }

  set form(id: string | null | undefined) {
    if (id === null || id === undefined) this.removeAttribute('form');
    else this.setAttribute('form', id);
  }

  get labels(): NodeList {
    return this.#internals.labels;
  }

  get willValidate(): boolean {
    return this.#internals.willValidate;
  }

  get validity(): ValidityState {
    return this.#internals.validity;
  }

  get validationMessage(): string {
    return this.#internals.validationMessage;
  }

  override focus(): void {
    this.#field.focus();
  }

  checkValidity(): boolean {
    return this.#internals.checkValidity();
  }

  reportValidity(): boolean {
    return this.#internals.reportValidity();
  }

  /** Makes the field invalid with a message of your own, until it is called with an empty string. */
  setCustomValidity(message: string): void {
    this.#customError = String(message);
    this.#setValidity();
  }

  get #options(): TextFieldOptions {
    const { use, timeZone } = this;
    return { use, timeZone, ...(this.#knownSchema && { schema: this.#knownSchema }) };
  }

  /** Shows the label, and names the parts for screen readers. */
  #describe(): void {
    const { label, placeholder, required } = this;
    const labels = Array.from(this.labels, ({ textContent }) => textContent?.trim());
    const name = label || labels.join(' ') || 'Filter';
    this.#caption.textContent = label;
    this.#caption.hidden = label === '';
    this.#toggle.setAttribute('aria-label', `Conditions: ${name}`);
    this.#formatter.setAttribute('aria-label', `Format: ${name}`);
    this.#field.describe({ label: name, placeholder, required });
  }

  #setText(text: string): void {
    // Frameworks set the text again that someone has just typed.
    if (text === this.#field.text) return;
    this.#committed = text;
    this.#field.text = text;
    this.#isSettled = true;
    this.#update();
  }

  /** Writes the expression in its canonical style. */
  #format(): void {
    if (this.#checked.types.length > 0) this.#edit(format(this.value));
  }

  /** Takes over a text from the rows, as if it were typed. */
  #edit(text: string): void {
    const field = this.#field;
    this.#built = text;
    field.replace({ start: 0, end: field.text.length }, text);
  }

  /** Follows what someone does with the text and the cursor. */
  #follow(textChanged: boolean): void {
    clearTimeout(this.#settling);
    this.#isSettled = false;
    this.#settling = setTimeout(() => this.#settle(), SETTLING_TIME);
    if (!textChanged) {
      this.#showMessages();
      return;
    }
    this.#isEdited = true;
    this.#update();
    this.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  }

  #settle(): void {
    clearTimeout(this.#settling);
    this.#isSettled = true;
    this.#showMessages();
  }

  /** Messages keep their time: one that appeared now would move what is being clicked on. */
  #leave(): void {
    if (this.value === this.#committed) return;
    this.#committed = this.value;
    this.dispatchEvent(new Event('change', { bubbles: true }));
  }

  /** Checks the text, and shows what follows from it. */
  #update(): void {
    const { value } = this;
    const isBlank = value.trim() === '';
    this.#checked = isBlank ? EMPTY : check(value, { ...this.#options, relations: findRelations });
    this.#internals.setFormValue(value);
    this.#setValidity();
    this.#showMessages();
    this.#showRows(isBlank);
  }

  #setValidity(): void {
    const valueMissing = this.required && this.value.trim() === '';
    const error = this.#checked.diagnostics.find(({ severity }) => severity === 'error');
    const flags = { customError: this.#customError !== '', valueMissing, typeMismatch: !this.#checked.ok };
    const message = this.#customError || (valueMissing ? 'Please fill out this field.' : error?.message);
    this.#internals.setValidity(flags, message, this.#field.root);
  }

  #showMessages(): void {
    const [checked, field] = [this.#checked, this.#field];
    const found = checked.diagnostics.filter(({ code }) => code !== 'empty-expression');
    const diagnostics = this.#isSettled ? found : selectSettled(field.text, found, field.cursor);
    // A button that is being pressed has to stay.
    const shown = JSON.stringify([field.text, checked.types, diagnostics, this.#ownNotes]);
    if (shown === this.#shownMessages) return;
    this.#shownMessages = shown;
    showFindings(this.#messages, field, { ...checked, diagnostics }, this.#ownNotes);
  }

  #showRows(isBlank: boolean): void {
    const isFilter = this.use === 'where';
    const isShown = isFilter && this.rows;
    this.#toggle.hidden = !isFilter;
    this.#toggle.setAttribute('aria-expanded', String(isShown));
    this.#builder.root.hidden = !isShown;
    if (!isShown) {
      this.#built = undefined;
      return;
    }
    // Rows follow the check alone: a filter that is never a boolean has them too.
    const isExpression = isBlank || this.#checked.types.length > 0;
    this.#builder.disabled = !isExpression || this.matches(':disabled');
    if (!isExpression || this.#built === this.value) return;
    this.#built = this.value;
    this.#builder.show(toForm(this.value), this.#knownSchema);
  }
}
