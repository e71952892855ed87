/** What a project cannot have, such as a name that is malformed, taken or unknown: the message says what to do. */
export class CatalogError extends Error {}

/** A file of a project, a dataset or what belongs to one that cannot be read. */
export class DamagedFileError extends CatalogError {
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(`${path} cannot be read: ${problem}`);
  }
}

/** Takes what cannot be read and is left out. */
export type TellDamage = (error: DamagedFileError) => void;
