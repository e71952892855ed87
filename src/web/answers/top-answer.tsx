import type { ComponentChildren } from 'preact';
import { escapeUnprintable } from '../../base/strings.ts';
import type { Answer } from './answer.ts';
import { formatNumber, formatSigned } from './numbers.ts';
import { BarCell, Delta, formatShareOf, Headline, Nothing, ScrollRegion } from './parts.tsx';

interface TopEvents {
  readonly events: readonly { readonly event: string; readonly amount: number; readonly percent_change: number }[];
}

/** Shows the top events of today, compared with yesterday up to the same time. */
export function TopAnswer({ answer, note }: { readonly answer: Answer; readonly note?: ComponentChildren }) {
  const { events } = answer.result as TopEvents;
  const type = answer.parameters.get('type') ?? 'general';
  // A user may have several events.
  const isSum = type === 'general';
  const all = events.reduce((total, { amount }) => total + amount, 0);
  const [first] = events;
  const what = { unique: 'unique users', average: 'events per user' }[type] ?? 'events';
  const longest = events.reduce((most, { amount }) => Math.max(most, amount), 0);
  if (first === undefined)
    return (
      <>
        <Headline number="0" words="events today" note={note} />
        <Nothing>Nothing has happened today yet.</Nothing>
      </>
    );
  return (
    <>
      <Headline
        number={formatNumber(isSum ? all : first.amount)}
        words={
          isSum ? (
            'events today so far'
          ) : (
            <>
              {what} of <bdi>{escapeUnprintable(first.event)}</bdi> today so far
            </>
          )
        }
        note={note}
      />
      <ScrollRegion label="Top events">
        <table class="grid">
          <caption class="unseen">Top events</caption>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col" class="number">
                Today
              </th>
              <th scope="col" class="number">
                {isSum ? 'Share' : 'Compared'}
              </th>
              <th scope="col" class="number">
                On yesterday by now
              </th>
            </tr>
          </thead>
          <tbody>
            {events.map(({ event, amount, percent_change: change }) => (
              <tr key={event}>
                <th scope="row">
                  <bdi>{escapeUnprintable(event)}</bdi>
                </th>
                <td class="number">{formatNumber(amount)}</td>
                <BarCell part={amount} longest={longest} line={0}>
                  {isSum && formatShareOf(amount, all)}
                </BarCell>
                <td class="number">
                  <Delta text={`${formatSigned(change * 100)} %`} isGood={change === 0 ? undefined : change > 0} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}
