import { pino } from 'pino';
import { Datasets } from '../../src/service/datasets/datasets.ts';
import { buildServer } from '../../src/service/server/build-server.ts';
import { loadOwnCertificate } from '../../src/service/server/connections/certificate.ts';
import { createServices } from '../../src/service/server/create-services.ts';
import { openSavedFilters } from '../../src/service/server/open-saved-filters.ts';
import { readConfiguration } from '../../src/service/server/settings/read-configuration.ts';
import type { ClickHouseStore } from '../../src/service/store/clickhouse/click-house-store.ts';

/** Starts a server in this process, because the database is in it. */
export async function serveInProcess(path: string, openStore: () => Promise<ClickHouseStore>) {
  const configuration = readConfiguration({ flags: { data: path, allowHttp: true }, environment: {} });
  const datasets = await Datasets.open(path, openStore, () => undefined);
  const server = await buildServer(await createServices(datasets, configuration), {
    certificate: await loadOwnCertificate(path, '127.0.0.1'),
    filters: await openSavedFilters(configuration, datasets, () => undefined),
    allowHttp: true,
    log: pino({ level: 'silent' }),
  });
  const { port } = await server.listen(0, '127.0.0.1');
  return { address: `http://127.0.0.1:${port}`, stop: () => server.stop() };
}
