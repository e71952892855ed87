import type { FilterSet } from '../../api/filter-set.ts';
import { parseJson } from '../../base/parse-json.ts';
import { countSteps, limitSteps, StepsExceeded } from '../../lang/steps.ts';
import type { Properties } from '../../lang/value.ts';
import type { EventLine } from '../store/log-line.ts';

/** A saved filter by its name in the project. */
export interface NamedFilter {
  readonly name: string;
  /** The name of the events; all events if undefined. */
  readonly event?: string;
  readonly where: string;
}

/** The events of an import that a saved filter matches. */
export interface ImportMatches {
  readonly name: string;
  /** The number of events. */
  readonly events: number;
  /** The `distinct_id` of each person with a matching event, in the order of the events. */
  readonly people: readonly string[];
  /** The number of events on which the filter raised a type error. Whether they match is unknown. */
  readonly failures: number;
}

interface Counts {
  readonly event: string | undefined;
  events: number;
  readonly people: Set<string>;
  failures: number;
}

/** The steps that the events of an import may take: at most a few seconds, whatever they and the filters are. */
const MAX_STEPS = 100_000_000;

/** The characters that a scan goes through in a step, and those that an item of a list counts as. */
const STEP = 16;
const ITEM = 32;

/** The steps of a match, or of a type error. Equal filters have them together, and each holds memory. */
const MATCH_STEPS = 10;

/**
 * Matches the events of an import with saved filters. Returns undefined if that takes too many steps, which depends
 * on the events and the saved filters alone.
 *
 * @param set The same filters, by name.
 * @param lines Lines of the event log.
 * @param steps The steps that they may take.
 */
export function countMatches(
  set: FilterSet,
  filters: readonly NamedFilter[],
  lines: readonly string[],
  steps = MAX_STEPS,
): ImportMatches[] | undefined {
  const found = new Map<string, Counts>(
    filters.map(({ name, event }) => [name, { event, events: 0, people: new Set(), failures: 0 }]),
  );
  let left = steps;
  for (const line of lines) {
    const { event, properties, distinct_id: person } = parseJson(line) as EventLine;
    const matched = matchWithin(left, set, properties);
    if (matched === undefined) return undefined;
    const { ids, failures } = matched.result;
    left -= matched.steps + MATCH_STEPS * (ids.length + failures.length);
    const isOf = (counts: Counts) => counts.event === undefined || counts.event === event;
    for (const id of ids) {
      const counts = found.get(id) as Counts;
      if (!isOf(counts)) continue;
      counts.events++;
      counts.people.add(person);
    }
    for (const { id } of failures) {
      const counts = found.get(id) as Counts;
      if (isOf(counts)) counts.failures++;
    }
  }
  return [...found].map(([name, { events, people, failures }]) => ({ name, events, people: [...people], failures }));
}

/** Returns how many characters a scan of a value goes through. */
function measure(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return 0;
  return value.reduce((sum, item) => sum + ITEM + (typeof item === 'string' ? item.length : 0), 0);
}

/** Matches an event and counts the steps. Returns undefined if there are too many. */
function matchWithin(steps: number, set: FilterSet, properties: Properties) {
  const longest = Object.values(properties).reduce<number>((most, value) => Math.max(most, measure(value)), 0);
  try {
    return countSteps(() => limitSteps(steps, () => set.match(properties), Math.ceil(longest / STEP)));
  } catch (error) {
    if (error instanceof StepsExceeded) return undefined;
    throw error;
  }
}
