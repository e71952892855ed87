/** Calls it with errors of few frames. Vitest asks for a hundred, which takes longer than to parse or to evaluate what fails. */
export function withShortTraces<Answer>(call: () => Answer): Answer {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 5;
  try {
    return call();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
