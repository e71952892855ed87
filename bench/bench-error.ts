/** What ends the benchmark with a line that says what to do, not with a stack trace. */
export class BenchError extends Error {}
