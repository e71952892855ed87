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
  return (
    <>
      {datasets !== undefined && datasets.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
        <table class="compact" tabIndex={0}>
          <caption>Datasets</caption>
          <thead>
            <tr>
              <th scope="col">Dataset</th>
              <th scope="col">Version</th>
              <th scope="col">Created (UTC)</th>
              <th scope="col">Read by questions</th>
            </tr>
          </thead>
          <tbody>
            {datasets.flatMap(({ dataset_id, versions }) => {
              // Questions read the newest live version.
              const read = versions.find(({ is_live }) => is_live);
              return (versions.length > 0 ? versions : [undefined]).map((version) => (
                <tr key={`${dataset_id} ${version?.version_id}`}>
                  <th scope="row">
                    <bdi>{escapeUnprintable(dataset_id)}</bdi>
                  </th>
                  <td>{version?.version_id ?? 'no version yet'}</td>
                  <td>{version === undefined ? '' : formatTime(version.created_at)}</td>
                  <td>{version !== undefined && version === read ? 'yes' : ''}</td>
                </tr>
              ));
            })}
          </tbody>
        </table>
      )}
      <SavedFilters model={model} />
    </>
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it.
    <table class="compact" tabIndex={0}>
      <caption>Saved filters</caption>
      <thead>
        <tr>
          <th scope="col">Saved filter</th>
          <th scope="col">Event</th>
          <th scope="col">Filter</th>
          <th scope="col">Last import (UTC)</th>
          <th scope="col" class="number">
            Its events
          </th>
          <th scope="col" class="number">
            Its people
          </th>
          <th scope="col" class="number">
            All events
          </th>
          <th scope="col">Since (UTC)</th>
        </tr>
      </thead>
      <tbody>
        {filters.map(({ name, event, where, events, since, last_import: last }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <bdi>{event === null ? 'all' : escapeUnprintable(event)}</bdi>
            </td>
            <td>
              <code>{escapeUnprintable(where)}</code>
            </td>
            <td>{last === null ? 'none yet' : formatTime(last.time)}</td>
            <td class="number">{last === null ? '' : formatInteger(last.events)}</td>
            <td class="number">{last === null ? '' : formatInteger(last.people)}</td>
            <td class="number">{formatInteger(events)}</td>
            <td>{formatTime(since)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function formatTime(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}
