import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import type { PageModel } from './page-model.ts';

/** The most frequent events that are shown. */
const SHOWN = 12;

/** The events of the data, each with a line of its numbers over time. A click on one counts it. */
export function EventList({ page }: { readonly page: PageModel }) {
  const events = page.questions.data.value?.overview.events ?? [];
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="events-heading" id="events">
      <h2 id="events-heading">Events</h2>
      <ul class="event-list">
        {events.slice(0, SHOWN).map(({ event, count, values }) => (
          <li key={event}>
            <button type="button" onClick={() => page.countEvent(event)}>
              <bdi>{escapeUnprintable(event)}</bdi>
              <Sparkline values={values} />
              <span class="count">{formatInteger(count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const WIDTH = 48;
const HEIGHT = 16;

/** Numbers over time as a small line, for eyes only: the number is beside it. */
function Sparkline({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const step = values.length > 1 ? WIDTH / (values.length - 1) : 0;
  const points = values.map(
    (value, at) => `${(at * step).toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`,
  );
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polyline points={points.length > 1 ? points.join(' ') : `0,${HEIGHT / 2} ${WIDTH},${HEIGHT / 2}`} />
    </svg>
  );
}
