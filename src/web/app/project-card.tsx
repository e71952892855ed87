import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { escapeUnprintable, formatInteger } from '../../base/strings.ts';
import type { QuestionModel } from '../questions/question-model.ts';
import { ApiError, type KnownSavedFilter } from '../shared/query-api.ts';
import { useLoaded } from '../shared/use-loaded.ts';

/** How often the saved filters are read, in milliseconds. */
const PERIOD_MS = 5_000;

/** The datasets and saved filters of a server. */
export function ProjectCard({ model }: { readonly model: QuestionModel }) {
  const names = model.names.value;
  const datasets = useLoaded(
    () => (model.data.value === undefined ? undefined : names.getDatasets()),
    [names, model.data.value],
  );
  const rows = (datasets ?? []).flatMap(({ dataset_id, versions }) => {
    // Questions read the newest live version.
    const read = versions.find(({ is_live }) => is_live);
    const shown = versions.map((version) => [
      <bdi>{escapeUnprintable(dataset_id)}</bdi>,
      version.version_id,
      formatTime(version.created_at),
      version === read && 'yes',
    ]);
    return shown.length > 0 ? shown : [[<bdi>{escapeUnprintable(dataset_id)}</bdi>, 'no version yet', '', '']];
  });
  return (
    <>
      {rows.length > 0 && (
        <Table caption="Datasets" columns={['Dataset', 'Version', 'Created (UTC)', 'Read by questions']} rows={rows} />
      )}
      <SavedFilters model={model} />
    </>
  );
}

interface TableProps {
  readonly caption: string;
  readonly columns: readonly string[];
  /** The first cell of a row is its head. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A small table that scrolls, also with the keyboard. Columns of numbers are aligned right. */
function Table({ caption, columns, rows }: TableProps) {
  const look = (at: number) => (rows.some((row) => typeof row[at] === 'number') ? 'number' : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
    <table class="compact" tabIndex={0}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((title, at) => (
            <th key={title} scope="col" class={look(at)}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([head, ...cells], row) => (
          <tr key={row}>
            <th scope="row">{head}</th>
            {cells.map((cell, at) => (
              <td key={at} class={look(at + 1)}>
                {typeof cell === 'number' ? formatInteger(cell) : cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Lists the saved filters, and reads them again while they are visible. */
function SavedFilters({ model }: { readonly model: QuestionModel }) {
  const [filters, setFilters] = useState<readonly KnownSavedFilter[]>([]);
  const [problem, setProblem] = useState('');
  const api = model.api.value;
  useEffect(() => {
    let isNeeded = true;
    const repeat = async () => {
      while (isNeeded && api.listSavedFilters !== undefined) {
        try {
          const found = await api.listSavedFilters();
          if (!isNeeded) return;
          setFilters(found);
          setProblem('');
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          // A secret for a part of the project sees no saved filters.
          if (error.status === 401) return;
          setProblem(`The saved filters are not known now. ${error.message}`);
        }
        await new Promise((resolve) => setTimeout(resolve, PERIOD_MS));
      }
    };
    void repeat();
    return () => {
      isNeeded = false;
    };
  }, [api]);
  if (problem !== '') return <p class="hint">{problem}</p>;
  if (filters.length === 0) return null;
  const columns = ['Saved filter', 'Event', 'Filter', 'Last import (UTC)', 'Its events', 'Its people', 'All events'];
  const rows = filters.map(({ name, event, where, events, since, last_import: last }) => [
    name,
    <bdi>{event === null ? 'all' : escapeUnprintable(event)}</bdi>,
    <code>{escapeUnprintable(where)}</code>,
    last === null ? 'none yet' : formatTime(last.time),
    last?.events,
    last?.people,
    events,
    formatTime(since),
  ]);
  return <Table caption="Saved filters" columns={[...columns, 'Since (UTC)']} rows={rows} />;
}

function formatTime(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}
