const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether every half of a surrogate pair has its other half. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
