// Frameworks set a property where an element has one, else an attribute. React 19 fails on properties without a setter.

/**
 * Makes attributes with strings properties too.
 *
 * @param defaults The value of each property without its attribute. The attribute of `timeZone` is `time-zone`.
 */
export function reflectStrings(prototype: HTMLElement, defaults: Readonly<Record<string, string>>): void {
  for (const [property, value] of Object.entries(defaults)) {
    const attribute = property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    reflect(prototype, property, {
      get() {
        return this.getAttribute(attribute) ?? value;
      },
      set(given: string | null | undefined) {
        if (given === null || given === undefined) this.removeAttribute(attribute);
        else this.setAttribute(attribute, given);
      },
    });
  }
}

/** Makes attributes that are present or absent properties too. */
export function reflectFlags(prototype: HTMLElement, names: readonly string[]): void {
  for (const name of names) {
    reflect(prototype, name, {
      get() {
        return this.hasAttribute(name);
      },
      set(isSet: boolean) {
        this.toggleAttribute(name, isSet);
      },
    });
  }
}

function reflect(prototype: HTMLElement, name: string, accessors: PropertyDescriptor & ThisType<HTMLElement>): void {
  Object.defineProperty(prototype, name, { ...accessors, configurable: true, enumerable: true });
}
