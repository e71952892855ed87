/** An input that begins with a word with a dot. */
export interface CommandInput {
  readonly name: string;
  readonly argument: string;
  /** Where in the input the argument begins. */
  readonly offset: number;
}

/** Takes a command apart; undefined for what is an expression, `.5` among them. */
export function splitInput(input: string): CommandInput | undefined {
  const [head, name] = /^\s*(\.(?!\d)\S*)\s*/.exec(input) ?? [];
  if (head === undefined || name === undefined) return undefined;
  return { name, argument: input.slice(head.length).trimEnd(), offset: head.length };
}
