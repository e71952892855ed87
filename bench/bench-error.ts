/** Ends the benchmark with a message that says what to do, without a stack trace. */
export class BenchError extends Error {}
