import { useEffect, useState } from 'preact/hooks';
import { escapeUnprintable, pluralize, truncate } from '../../base/strings.ts';
import type { ClauseCounts, FilterCounts } from '../../data/clause-counts.ts';
import { COUNTS_LEGEND, describePart } from '../../data/describe-clauses.ts';
import type { EventsResult } from '../events/messages.ts';
import type { ExploreModel } from './explore-model.ts';

/** Limit of code in characters. */
const MAX_CODE_WIDTH = 160;

/** How many events each part of the filter removes. Counts only while it is open, or if no event matches. */
export function CountsView({ model, result }: { readonly model: ExploreModel; readonly result: EventsResult }) {
  const { query, events, matching, failure } = result;
  const [isOpen, setOpen] = useState(false);
  const [counts, setCounts] = useState<FilterCounts>();
  const hasCounts = query.where.trim() !== '' && failure === undefined && events > 0;
  const isShown = hasCounts && (isOpen || matching === 0);
  useEffect(() => {
    let isNeeded = true;
    if (isShown) void model.client.count(query).then((found) => isNeeded && setCounts(found));
    return () => {
      isNeeded = false;
    };
  }, [query, isShown]);
  if (!hasCounts) return null;
  return (
    <details
      class="counts"
      open={isShown}
      onToggle={({ currentTarget }) => matching > 0 && setOpen(currentTarget.open)}
    >
      <summary>What each part of the filter removes</summary>
      {counts !== undefined && (
        <>
          <p>{pluralize(counts.records, 'event')}</p>
          <ul class="tree">
            <Part part={counts.tree} removes />
          </ul>
          {counts.tree.clauses.length > 0 && <p class="hint">{COUNTS_LEGEND.replaceAll('`', '')}</p>}
        </>
      )}
    </details>
  );
}

interface PartProps {
  readonly part: ClauseCounts;
  /** Whether the events that the part does not match are lost: not inside of `or` or `not`. */
  readonly removes: boolean;
}

function Part({ part, removes }: PartProps) {
  const { kind, code, clauses } = part;
  return (
    <li>
      <code>{escapeUnprintable(truncate(kind === 'clause' ? code : kind, MAX_CODE_WIDTH))}</code>{' '}
      <span class="value">{escapeUnprintable(describePart(part, removes))}</span>
      {clauses.length > 0 && (
        <ul>
          {clauses.map((clause, at) => (
            <Part key={at} part={clause} removes={removes && kind === 'and'} />
          ))}
        </ul>
      )}
    </li>
  );
}
