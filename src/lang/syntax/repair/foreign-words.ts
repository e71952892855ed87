/** Operators of other languages and their equivalents in this one. */
export const FOREIGN_OPERATORS = new Map([
  ['=', '=='],
  ['===', '=='],
  ['!==', '!='],
  ['<>', '!='],
  ['=>', '>='],
  ['=<', '<='],
  ['&', 'and'],
  ['&&', 'and'],
  ['|', 'or'],
  ['||', 'or'],
  ['!', 'not'],
]);

/** Symbols of other languages that the language has no operator for. */
export const FOREIGN_SYMBOLS = [
  ...['?', ':', '??', '=~', '!~', '~', '**', '^'],
  ...['>>', '<<', '+=', '-=', '*=', '/=', '%=', '++', '&=', '|='],
];

/** Functions of other languages, in lower case, that have exactly one equivalent. */
export const FOREIGN_FUNCTIONS = new Map([
  ['bool', 'boolean'],
  ['ceiling', 'ceil'],
  ['date', 'datetime'],
  ['exists', 'defined'],
  ['float', 'number'],
  ['num', 'number'],
  ['str', 'string'],
  ['text', 'string'],
  ['timestamp', 'datetime'],
]);

/** Other names, in lower case, for the scopes of properties. */
export const FOREIGN_SOURCES = new Map([
  ['event_properties', 'event'],
  ['prop', 'properties'],
  ['property', 'properties'],
  ['props', 'properties'],
  ['profile', 'user'],
  ['user_properties', 'user'],
]);

/** Words for a missing value, in lower case. The language has no literal for them. */
export const NOTHING = new Set(['null', 'undefined', 'none', 'nil', 'nan']);
