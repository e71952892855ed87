/** What a project cannot have, such as a name that is malformed, taken or unknown: the message says what to do. */
export class CatalogError extends Error {}
