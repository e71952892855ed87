/** A refused request. The message tells the client why and what to do. */
export class ServiceError extends Error {
  /** The kind of object that the query names and that does not exist. */
  readonly missing?: 'dataset' | 'version';

  constructor(
    /** The HTTP status of the response. */
    readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 503 | 507,
    message: string,
    { missing, ...options }: ErrorOptions & { readonly missing?: 'dataset' | 'version' } = {},
  ) {
    super(message, options);
    if (missing !== undefined) this.missing = missing;
  }
}

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
