// The part of csv-parse that the page uses. Its own types need those of Node.js, which browsers do not have.

export class CsvError extends Error {}

export function parse(input: Uint8Array, options: object): unknown;
