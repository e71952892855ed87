/** Ends an exhaustive `switch`. It does not compile if a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`);
}
