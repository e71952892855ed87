import { chooseIntervalCount } from '../../queries/endpoints/choose-interval-count.ts';
import { chooseUnit } from '../../queries/endpoints/choose-unit.ts';
import { MAX_NUMERIC_DAYS } from '../../queries/endpoints/segmentation.ts';
import { addDays, countDays } from '../shared/day.ts';
import { formatSteps } from './funnel-steps.ts';
import type { DataOverview, KnownFunnel, KnownProject } from './known-names.ts';
import { listFields, type PageQuery, QUERIES } from './queries.ts';
import { getFieldValue, getNamedValue, getParameters, type QuestionState, setValues } from './state.ts';

/** The data that a question is about, as far as it is known. */
export interface KnownData {
  readonly project: KnownProject;
  readonly overview: DataOverview;
  readonly funnels: readonly KnownFunnel[];
}

/** Names of events with which users begin. */
const BEGINNING = /sign.?up|regist|install|created? account|first|subscrib/i;

/** The number of steps of a suggested funnel. */
const STEPS = 3;

/**
 * Fills in the fields without which a question has no answer, and those whose default an analyst would not have chosen:
 * dates, events, steps, units.
 */
export function fillDefaults(state: QuestionState, { overview, funnels }: KnownData): QuestionState {
  const names = overview.events.map(({ event }) => event);
  const [first = ''] = names;
  const dated = fill(state, suggestDates(state, overview));
  const unit = chooseUnit(`/${QUERIES[state.query].path}`, countDaysOf(dated)) ?? '';
  switch (state.query) {
    case 'events':
      return fill(dated, { event: names.slice(0, STEPS).join('\n'), unit });
    case 'funnels': {
      const hasFunnel = getNamedValue(dated, 'funnel_id') !== '';
      const [saved] = funnels;
      if (saved !== undefined && getNamedValue(dated, 'steps') === '' && !hasFunnel)
        return fill(dated, { funnel_id: String(saved.funnel_id), unit });
      const steps =
        hasFunnel || names.length === 0
          ? ''
          : formatSteps(names.slice(0, STEPS).map((event) => ({ event, where: '' })));
      return fill(dated, { steps, unit });
    }
    case 'retention': {
      const united = fill(dated, { unit, born_event: names.find((name) => BEGINNING.test(name)) ?? first });
      const count = chooseIntervalCount(Object.fromEntries(getParameters(united)));
      return fill(united, { interval_count: count === undefined ? '' : String(count) });
    }
    case 'addiction':
      return fill(dated, { unit, addiction_unit: 'day' });
    default:
      return fill(dated, { event: first, unit });
  }
}

/** Returns the dates of the data, or the last of them that the question may have. */
function suggestDates({ query }: QuestionState, { from_date, to_date }: DataOverview): Record<string, string> {
  if (from_date === null || to_date === null) return {};
  const { on }: PageQuery = QUERIES[query];
  const earliest = addDays(to_date, 1 - MAX_NUMERIC_DAYS);
  return { from_date: on === 'number' && from_date < earliest ? earliest : from_date, to_date };
}

/** Returns the first day with which a question has as many days as it may; undefined if it does not have more. */
export function shortenDates(state: QuestionState): string | undefined {
  const { on }: PageQuery = QUERIES[state.query];
  return on === 'number' && countDaysOf(state) > MAX_NUMERIC_DAYS
    ? addDays(getNamedValue(state, 'to_date'), 1 - MAX_NUMERIC_DAYS)
    : undefined;
}

/** Sets the fields of a question that are blank. */
function fill(state: QuestionState, suggested: Readonly<Record<string, string>>): QuestionState {
  const blank = Object.entries(suggested).filter(([name]) => getNamedValue(state, name).trim() === '');
  return setValues(state, Object.fromEntries(blank));
}

function countDaysOf(state: QuestionState): number {
  return countDays(getNamedValue(state, 'from_date'), getNamedValue(state, 'to_date'));
}

/** Returns the fields without a value that the question needs. */
export function listMissing(state: QuestionState): readonly string[] {
  return listFields(state.query)
    .filter((field) => field.isRequired && getFieldValue(state, field).trim() === '')
    .map(({ label }) => label);
}
