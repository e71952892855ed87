/** Calls a function with short stack traces. Vitest's hundred frames take longer than parsing or evaluating. */
export function withShortTraces<Result>(call: () => Result): Result {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 5;
  try {
    return call();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
