import { EventStore } from './event-store.ts';
import type { Reply, Request } from './messages.ts';
import { openSource } from './open-source.ts';

/** The entry of the thread that holds the events, so that the page is never busy with them. */
const store = new EventStore();
let opening = new AbortController();

self.addEventListener('message', async ({ data }: MessageEvent<Request>) => {
  switch (data.kind) {
    case 'open':
      opening.abort();
      opening = new AbortController();
      await openSource(data.source, store, opening.signal, (opened) => reply({ kind: 'opened', opened }));
      break;
    case 'ask': {
      const answer = await store.ask(data.query);
      if (answer !== undefined) reply({ kind: 'answer', answer });
      break;
    }
    case 'list':
      reply({ kind: 'page', id: data.id, page: store.list(data.choice, data.from, data.most) });
  }
});

function reply(message: Reply): void {
  self.postMessage(message);
}
