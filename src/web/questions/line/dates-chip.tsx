import { Chip } from '../../shared/chip.tsx';
import type { QuestionModel } from '../question-model.ts';
import { type DayRange, getDates } from '../state.ts';

const DAY_MS = 86_400_000;

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
        <div class="dates">
          {last !== '' && (
            <p class="buttons">
              {RANGES.map((days) => (
                <button
                  key={days}
                  type="button"
                  onClick={() => {
                    set({
                      from: new Date(Date.parse(last) - (days - 1) * DAY_MS).toISOString().slice(0, 10),
                      to: last,
                    });
                    close();
                  }}
                >
                  Last {days} days
                </button>
              ))}
              <button
                type="button"
                onClick={() => {
                  set({ from: first, to: last });
                  close();
                }}
              >
                All data
              </button>
            </p>
          )}
          <label>
            From
            <input
              type="date"
              value={dates.from}
              onInput={({ currentTarget }) => set({ ...dates, from: currentTarget.value })}
            />
          </label>
          <label>
            To
            <input
              type="date"
              value={dates.to}
              onInput={({ currentTarget }) => set({ ...dates, to: currentTarget.value })}
            />
          </label>
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
  const next = new Date(end.getTime() + DAY_MS);
  if (from.endsWith('-01') && next.getUTCDate() === 1 && from.slice(0, 7) === to.slice(0, 7))
    return MONTH.format(start);
  return DAY.formatRange(start, end);
}
