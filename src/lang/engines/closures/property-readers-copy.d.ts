/** A copy of property-readers.ts: see get-property-readers.ts. */
declare module '*&copy' {
  export const PROPERTY_READERS: import('./property-readers.ts').PropertyReaders;
}
