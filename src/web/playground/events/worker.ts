import { EventStore } from './event-store.ts';
import type { Reply, Request } from './messages.ts';
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
      const result = await store.query(data.query);
      if (result === undefined) break;
      reply({ kind: 'result', result });
      const absent = await store.findAbsent(data.query);
      if (absent.length > 0) reply({ kind: 'absent', query: data.query, absent });
      break;
    }
    case 'count':
      reply({ kind: 'counts', id: data.id, counts: await store.count(data.where, data.now) });
      break;
    case 'list':
      reply({ kind: 'page', id: data.id, page: store.list(data.choice, data.from, data.limit) });
  }
});

function reply(message: Reply): void {
  self.postMessage(message);
}
