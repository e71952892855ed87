/** A database that cannot do what it was asked for reasons that are none of the request. The message is for operators. */
export class StoreError extends Error {}

/** A statement that needs more memory than there is for it. */
export class MemoryLimitError extends StoreError {}
