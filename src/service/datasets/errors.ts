/** A request that is refused: the message says to the client why and what to do, the status what kind of refusal it is. */
export class ServiceError extends Error {
  /** What a question was to be about and there is not. */
  readonly missing?: 'dataset' | 'version';

  constructor(
    /** The HTTP status that fits. */
    readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 503 | 507,
    message: string,
    { missing, ...options }: ErrorOptions & { readonly missing?: 'dataset' | 'version' } = {},
  ) {
    super(message, options);
    if (missing !== undefined) this.missing = missing;
  }
}

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
