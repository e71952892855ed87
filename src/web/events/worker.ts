import type { PropertyScope } from '../shared/property-catalog.ts';
import type { RequestParameters } from '../shared/query-api.ts';
import { answerRequest } from './answer-request.ts';
import { EventStore } from './event-store.ts';
import type { Choice, CountQuery, Reply, Request } from './messages.ts';
import { openSource } from './open-source.ts';

// The entry of the worker that holds the events, so that long queries do not block the page.
const store = new EventStore();
let opening = new AbortController();

/** Answers questions about the events, by their names. */
const answers = {
  count: (query: CountQuery) => store.count(query),
  list: (choice: Choice, from: number, limit: number) => store.list(choice, from, limit),
  properties: (scope: PropertyScope) => store.countProperties(scope),
  /** Answers a request like an endpoint of a server. */
  request: (path: string, parameters: RequestParameters, timeZone: string) =>
    answerRequest(store.toMemory(), { path, parameters, timeZone }),
  values: (scope: PropertyScope, name: string) => store.countValues(scope, name),
};

export type Answers = typeof answers;

self.addEventListener('message', async ({ data }: MessageEvent<Request>) => {
  switch (data.kind) {
    case 'open':
      opening.abort();
      opening = new AbortController();
      await openSource(data.source, data.choices, store, opening.signal, (progress) =>
        reply({ kind: 'progress', progress }),
      );
      break;
    case 'query': {
      reply({ kind: 'result', result: store.query(data.query) });
      const absent = store.findAbsent(data.query);
      if (absent.length > 0) reply({ kind: 'absent', query: data.query, absent });
      break;
    }
    case 'ask': {
      const answer = answers[data.name as keyof Answers] as (...given: readonly unknown[]) => unknown;
      reply({ kind: 'answer', id: data.id, answer: await answer(...data.given) });
    }
  }
});

function reply(message: Reply): void {
  self.postMessage(message);
}
