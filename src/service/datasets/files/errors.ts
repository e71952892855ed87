/** An invalid change of the catalog, such as a malformed, taken or unknown name. The message says what to do. */
export class CatalogError extends Error {}

/** A catalog file that cannot be read. */
export class DamagedFileError extends CatalogError {
  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(`${path} cannot be read: ${problem}`);
  }
}

/** Receives each damaged file that is skipped. */
export type TellDamage = (error: DamagedFileError) => void;
