/** Operators of other languages, and what they are called here. */
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

/** Functions of other languages that mean exactly one here, in lower case. */
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

/** What people call the things that properties are read from, in lower case. */
export const FOREIGN_SOURCES = new Map([
  ['event_properties', 'event'],
  ['prop', 'properties'],
  ['property', 'properties'],
  ['props', 'properties'],
  ['profile', 'user'],
  ['user_properties', 'user'],
]);

/** Words for a value that is not there, in lower case: there is no literal for one. */
export const NOTHING = new Set(['null', 'undefined', 'none', 'nil', 'nan']);
