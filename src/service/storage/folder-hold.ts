/** Thrown by a process once others may have its folder. */
export class LeaseLostError extends Error {
  constructor(owner: string) {
    super(`${owner} has lost the lease of the data folder: another process may have taken over`);
  }
}

/** The right to change a folder that several machines share. */
export interface FolderHold {
  /** @throws {LeaseLostError} if another process may have the folder */
  assertHeld(): void;
}
