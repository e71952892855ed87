/** Types for the used part of the library, which has none. */
declare module 'railroad-diagrams' {
  interface Item {
    toString(): string;
  }

  interface Diagram extends Item {
    /** The attributes of the `svg` element. `format` sets them. */
    readonly attrs: { width: number; height: number; x?: number; y?: number };
    format(padding: number): this;
  }

  const railroad: {
    Diagram(...items: readonly Item[]): Diagram;
    Sequence(...items: readonly Item[]): Item;
    Choice(normal: number, ...items: readonly Item[]): Item;
    Optional(item: Item): Item;
    OneOrMore(item: Item): Item;
    ZeroOrMore(item: Item, between?: Item): Item;
    Terminal(text: string): Item;
    NonTerminal(text: string): Item;
  };
  export default railroad;
}
