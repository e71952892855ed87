// Frameworks set a property where an element has one, else an attribute. React 19 fails on properties without a setter.

/**
 * Makes an attribute with a string a property too.
 *
 * @param read Returns the value of the property from that of the attribute, which is null if it is absent.
 */
export function reflectString(
  prototype: HTMLElement,
  property: string,
  attribute = property,
  read = (value: string | null): string => value ?? '',
): void {
  reflect(prototype, property, {
    get() {
      return read(this.getAttribute(attribute));
    },
    set(given: string | null | undefined) {
      if (given === null || given === undefined) this.removeAttribute(attribute);
      else this.setAttribute(attribute, given);
    },
  });
}

/** Makes an attribute that is present or absent a property too. */
export function reflectFlag(prototype: HTMLElement, name: string): void {
  reflect(prototype, name, {
    get() {
      return this.hasAttribute(name);
    },
    set(isSet: boolean) {
      this.toggleAttribute(name, Boolean(isSet));
    },
  });
}

function reflect(prototype: HTMLElement, name: string, accessors: PropertyDescriptor & ThisType<HTMLElement>): void {
  Object.defineProperty(prototype, name, { ...accessors, configurable: true, enumerable: true });
}
