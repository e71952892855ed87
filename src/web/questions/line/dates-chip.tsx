import { Chip } from '../../shared/chip.tsx';
import { addDays } from '../../shared/day.ts';
import type { QuestionModel } from '../question-model.ts';
import { type DayRange, getDates } from '../state.ts';

/** Ranges that end with the data, in days. */
const RANGES = [7, 30, 90] as const;

/** Chooses the dates of all questions. */
export function DatesChip({ model }: { readonly model: QuestionModel }) {
  const dates = getDates(model.shown.value);
  const overview = model.data.value?.overview;
  const [first, last] = [overview?.from_date ?? '', overview?.to_date ?? ''];
  const set = ({ from, to }: DayRange) => model.set({ from_date: from, to_date: to });
  return (
    <Chip label="Dates" value={dates.from === '' ? undefined : formatDates(dates)}>
      {(close) => (
        <div class="stack dates">
          {last !== '' && (
            <p class="row">
              {[...RANGES, undefined].map((days) => (
                <button
                  key={days}
                  type="button"
                  onClick={() => {
                    set({ from: days === undefined ? first : addDays(last, 1 - days), to: last });
                    close();
                  }}
                >
                  {days === undefined ? 'All data' : `Last ${days} days`}
                </button>
              ))}
            </p>
          )}
          {(['from', 'to'] as const).map((end) => (
            <label key={end}>
              {end === 'from' ? 'From' : 'To'}
              <input
                type="date"
                value={dates[end]}
                onInput={({ currentTarget }) => set({ ...dates, [end]: currentTarget.value })}
              />
            </label>
          ))}
        </div>
      )}
    </Chip>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Formats dates as people say them: `June 2025`, `1 – 8 Jun 2025`. */
function formatDates({ from, to }: DayRange): string {
  const [start, end] = [new Date(from), new Date(to)];
  if (Number.isNaN(start.getTime()) || Number.isNaN(end.getTime())) return `${from} – ${to}`;
  if (from === to) return DAY.format(start);
  if (from.endsWith('-01') && addDays(to, 1).endsWith('-01') && from.slice(0, 7) === to.slice(0, 7))
    return MONTH.format(start);
  return DAY.formatRange(start, end);
}
