/** Ends an exhaustive `switch`: the compiler refuses a kind that no case handles. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`);
}
