// Keeps the files of the page in the browser, so that it also opens offline. The build replaces the two names below.
const CACHE = `onwhere-${VERSION}`;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

self.addEventListener('activate', (event) => {
  const removeOthers = async () => {
    for (const name of await caches.keys())
      if (name.startsWith('onwhere-') && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(removeOthers());
});

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((found) => found ?? fetch(event.request)));
});
