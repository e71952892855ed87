/** The language on one page, for models that write filters. */
export const LANGUAGE_CARD = `# Filters in one page

An expression reads the properties of an event and of its user, and is true, false or undefined. A filter selects a
record if it is true.

## Read properties
- \`properties["plan"]\` is a property of the event, \`user["country"]\` one of the user. There are no dots and no bare names.
- \`properties["$event"]\` is the name of the event in files. In queries, choose events with the parameter \`event\`.
- A missing property is undefined. Names and strings are exact, also in upper and lower case.

## Write values
- Strings in double quotes: \`"pro"\`. Numbers: \`19.99\`. \`true\`, \`false\`, \`null\`. Lists only after \`in\`: \`["pro", "team"]\`.

## Compare
- \`properties["plan"] == "pro"\`, \`!=\`. Values of different types are unequal. \`!=\` is also true for a missing property.
- \`properties["amount"] >= 100\`, \`>\`, \`<\`, \`<=\` compare two numbers or two strings.
- \`properties["country"] in ["DE", "NL"]\` is one of several values. \`not properties["country"] in ["DE", "NL"]\` is none.
- \`"google" in properties["referrer"]\` finds a part of a string, \`"sale" in properties["tags"]\` an element of a list.
- \`defined(properties["age"])\` is false for missing and null.

## Combine
- \`and\`, \`or\`, \`not\`, parentheses. \`and\` binds tighter than \`or\`. Their operands must be true, false or undefined.

## Convert and calculate
- \`number(properties["amount"]) > 100\` reads numbers in strings. \`string\` and \`boolean\` convert too.
- \`+\` \`-\` \`*\` \`/\` \`%\`, \`floor\`, \`round\`, \`ceil\`.

## Times
- Unix seconds. \`properties["time"] >= datetime("2025-06-15")\`. \`now\` is the time of the query:
  \`properties["time"] > now - 7 * 86400\`.

## What does not exist
\`=\` \`===\` \`&&\` \`||\` \`!\` \`<>\` \`LIKE\` \`BETWEEN\` \`IS NULL\` \`NOT IN\` \`IN (…)\`, functions of text, regular
expressions, comments. \`check_filter\` says what to write instead, and \`repair_filter\` writes it.
`;
