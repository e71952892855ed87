import { useEffect, useRef } from 'preact/hooks';
import { escapeUnprintable, formatInteger, pluralize } from '../../base/strings.ts';
import { UNNAMED_EVENT } from '../../data/field-mapping.ts';
import type { LeftOut, RecordNotes } from '../events/memory-records.ts';
import type { EventsSource, LoadProgress } from '../events/messages.ts';
import type { FileSource } from './file-source.ts';
import { ReadingForm } from './reading-form.tsx';

/** The file whose events are asked: how it was read, and the ways to open another. */
export function SourceCard({ source }: { readonly source: FileSource }) {
  const input = useRef<HTMLInputElement>(null);
  const progress = source.progress.value;
  const before = source.before.value;
  return (
    <div class="stack">
      {progress !== undefined && <Progress progress={progress} />}
      {progress !== undefined && <ReadingForm source={source} progress={progress} />}
      <p class="row">
        <button type="button" class="main" onClick={() => input.current?.click()}>
          Open file
        </button>
        <button type="button" onClick={() => source.open({ kind: 'sample' })}>
          Use sample data
        </button>
        {before !== undefined && before.source.kind !== 'sample' && (
          <button type="button" onClick={() => source.open(before.source, before.choices)}>
            Back to {escapeUnprintable(getSourceName(before.source))}
          </button>
        )}
        <input
          ref={input}
          type="file"
          accept=".ndjson,.jsonl,.json,.csv,.tsv,.txt,.gz"
          aria-label="Event file"
          hidden
          onChange={({ currentTarget }) => {
            source.openFirstOf(currentTarget.files);
            // Lets the same file be chosen again after it has changed.
            currentTarget.value = '';
          }}
        />
      </p>
      <p class="hint">
        Or drop a file anywhere: NDJSON, other JSON or CSV, optionally gzipped. Your browser reads it; nothing is
        uploaded.
      </p>
    </div>
  );
}

function getSourceName(source: EventsSource): string {
  return source.kind === 'file' ? source.file.name : source.kind === 'served' ? source.name : 'the sample';
}

/** Opens files that are dropped anywhere on the page. */
export function useDrop(source: FileSource | undefined): void {
  useEffect(() => {
    if (source === undefined) return;
    const { classList } = document.body;
    const listeners = {
      dragover(event: DragEvent) {
        event.preventDefault();
        classList.add('dropping');
      },
      dragleave({ relatedTarget }: DragEvent) {
        if (relatedTarget === null) classList.remove('dropping');
      },
      drop(event: DragEvent) {
        event.preventDefault();
        classList.remove('dropping');
        source.openFirstOf(event.dataTransfer?.files);
      },
    };
    const ended = new AbortController();
    for (const [name, listener] of Object.entries(listeners))
      document.addEventListener(name as keyof typeof listeners, listener, { signal: ended.signal });
    return () => ended.abort();
  }, [source]);
}

function Progress({ progress }: { readonly progress: LoadProgress }) {
  const { name, events, broken, problems, end, done, notes } = progress;
  return (
    <div id="progress" role="status">
      <p>
        <bdi class="file">{escapeUnprintable(name)}</bdi>
        {done ? `: ${pluralize(events, 'event')}` : `: reading, ${formatInteger(events)} events so far …`}
      </p>
      {end !== undefined && <p class="error">{escapeUnprintable(end)}</p>}
      {broken > 0 && (
        <>
          <p class="warning">{pluralize(broken, 'broken record')} skipped:</p>
          <ul class="problems">
            {problems.map((problem) => (
              <li key={problem}>{escapeUnprintable(problem)}</li>
            ))}
            {broken > problems.length && <li>and {formatInteger(broken - problems.length)} more</li>}
          </ul>
        </>
      )}
      {notes !== undefined && <p class="hint">{describeNotes(notes)}</p>}
    </div>
  );
}

const FIELDS: Readonly<Record<keyof LeftOut, string>> = { event: 'name', time: 'time', user: 'user' };

/** Describes events that questions leave out or name; empty if there are none. */
function describeNotes({ leftOut, isUnnamed }: RecordNotes): string {
  const parts = Object.entries(leftOut).flatMap(([field, count]) => {
    return count === 0 ? [] : [`${pluralize(count, 'event')} without a ${FIELDS[field as keyof LeftOut]}`];
  });
  const notes = [
    ...(parts.length === 0 ? [] : [`Only “Explore” counts ${parts.join(', ')}.`]),
    ...(isUnnamed ? [`No event has a name, so all are called “${UNNAMED_EVENT}”.`] : []),
  ];
  return notes.join(' ');
}
