import { UsageError } from './exit.ts';
import { isFileArgument } from './input/expand-files.ts';

/** The arguments of `onwhere funnel`: event files, and the steps as the interface takes them, if they are arguments. */
interface FunnelArguments {
  readonly files: readonly string[];
  readonly steps: string | undefined;
}

/**
 * Splits the arguments of a funnel: files, folders and patterns come first, then the event of each step.
 *
 * @throws {UsageError} if there is a single step without files, which may be a misspelled file.
 */
export async function splitFunnelArguments(words: readonly string[]): Promise<FunnelArguments> {
  let count = 0;
  for (const word of words) {
    if (!(await isFileArgument(word))) break;
    count++;
  }
  const [files, events] = [words.slice(0, count), words.slice(count)];
  if (count === 0 && events.length === 1)
    throw new UsageError(`No such file: ${events[0]}. Name event files, then the event of each step`);
  return { files, steps: events.length === 0 ? undefined : JSON.stringify(events.map((event) => ({ event }))) };
}
