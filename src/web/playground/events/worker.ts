import { EventStore } from './event-store.ts';
import type { Reply, Request } from './messages.ts';
import { openSource } from './open-source.ts';

/** The entry of the worker that holds the events, so that queries never block the page. */
const store = new EventStore();
let opening = new AbortController();

self.addEventListener('message', async ({ data }: MessageEvent<Request>) => {
  switch (data.kind) {
    case 'open':
      opening.abort();
      opening = new AbortController();
      await openSource(data.source, store, opening.signal, (opened) => reply({ kind: 'opened', opened }));
      break;
    case 'run': {
      const result = await store.run(data.query);
      if (result !== undefined) reply({ kind: 'result', result });
      break;
    }
    case 'list':
      reply({ kind: 'page', id: data.id, page: store.list(data.choice, data.from, data.max) });
  }
});

function reply(message: Reply): void {
  self.postMessage(message);
}
