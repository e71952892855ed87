import { answerRequest } from './answer-request.ts';
import { EventStore } from './event-store.ts';
import type { EventsQuestion, Reply, Request } from './messages.ts';
import { openSource } from './open-source.ts';

// The entry of the worker that holds the events, so that long queries do not block the page.
const store = new EventStore();
let opening = new AbortController();

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
    case 'ask':
      reply({ kind: 'answer', id: data.id, answer: await answer(data.question) });
  }
});

async function answer(question: EventsQuestion): Promise<unknown> {
  switch (question.kind) {
    case 'count':
      return store.count(question.query);
    case 'list':
      return store.list(question.choice, question.from, question.limit);
    case 'properties':
      return store.countProperties(question.scope);
    case 'request':
      return answerRequest(store.toMemory(), question);
    case 'values':
      return store.countValues(question.scope, question.name);
  }
}

function reply(message: Reply): void {
  self.postMessage(message);
}
