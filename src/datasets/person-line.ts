import type { PersonLine } from '../store/log-line.ts';
import { PERSON_OPERATIONS, type PersonOperation } from '../store/person-operations.ts';
import { getOwnValue, isJsonObject } from '../util/json-object.ts';
import { suggest } from '../util/suggest.ts';
import { readId } from './id-text.ts';
import { findJsonFlaw } from './json-flaw.ts';
import { describeJson, quoteForMessage } from './shown.ts';

const PERSON_FORM = 'Send {"$token": …, "$distinct_id": …, "$set": {…}}.';

const ALL_OPERATIONS = `Send ${[...PERSON_OPERATIONS.keys()].join(', ')}.`;

/** What a record may have beside its operations: who it is about, and what published clients send along. */
const NO_OPERATIONS: ReadonlySet<string> = new Set([
  ...['$token', '$distinct_id'],
  ...['$ip', '$time', '$ignore_time', '$ignore_alias'],
]);

/**
 * The line of the log that an update of a person becomes, with its operations and nothing else; or, in words, why it cannot be stored
 * and what to do.
 */
export function toPersonLine(record: unknown): PersonLine | string {
  if (!isJsonObject(record)) return `it is ${describeJson(record)}. ${PERSON_FORM}`;
  const id = getOwnValue(record, '$distinct_id');
  if (id === undefined) return `no $distinct_id. ${PERSON_FORM}`;
  const distinctId = readId(id);
  if (distinctId === undefined)
    return `$distinct_id is ${describeJson(id)}. Send a text that is not empty, or a number.`;
  const operations = Object.entries(record).filter(([name]) => !NO_OPERATIONS.has(name));
  if (operations.length === 0) return `no operation. ${ALL_OPERATIONS}`;
  for (const [name, argument] of operations) {
    const problem = operationProblem(name, argument);
    if (problem !== undefined) return problem;
  }
  return { $distinct_id: distinctId, ...Object.fromEntries(operations) };
}

function operationProblem(name: string, argument: unknown): string | undefined {
  const operation = PERSON_OPERATIONS.get(name);
  return operation === undefined ? unknown(name) : (misfit(name, operation, argument) ?? findJsonFlaw(name, argument));
}

function unknown(name: string): string {
  const near = suggest(name, PERSON_OPERATIONS.keys());
  return `${quoteForMessage(name)} is no operation. ${near === undefined ? ALL_OPERATIONS : `Did you mean ${near}?`}`;
}

function misfit(name: string, { takes }: PersonOperation, argument: unknown): string | undefined {
  if (!takes.isWhole(argument)) return `${name} is ${describeJson(argument)}. It takes ${takes.description}.`;
  const { isPart } = takes;
  const wrong = isPart && Object.entries(argument as object).find(([, part]) => !isPart(part));
  return (
    wrong && `${name}[${quoteForMessage(wrong[0])}] is ${describeJson(wrong[1])}. ${name} takes ${takes.description}.`
  );
}
