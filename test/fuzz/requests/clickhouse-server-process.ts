import { pino } from 'pino';
import { Datasets } from '../../../src/service/datasets/datasets.ts';
import { buildServer } from '../../../src/service/server/build-server.ts';
import { loadOwnCertificate } from '../../../src/service/server/connections/certificate.ts';
import { createServices } from '../../../src/service/server/create-services.ts';
import { openSavedFilters } from '../../../src/service/server/open-saved-filters.ts';
import { readConfiguration } from '../../../src/service/server/settings/read-configuration.ts';
import { ClickHouseStore } from '../../../src/service/store/clickhouse/click-house-store.ts';
import { openClient } from '../../clickhouse/open-clickhouse.ts';

/** Serves a data folder with ClickHouse in this process. `onwhere serve` can use ClickHouse only over the network. */
const [path = '', queryTimeLimit] = process.argv.slice(2);
const configuration = readConfiguration({ flags: { data: path, allowHttp: true, queryTimeLimit }, environment: {} });
const datasets = await Datasets.open(
  path,
  () => ClickHouseStore.open(openClient()),
  (event) => console.error(event),
);
const server = await buildServer(await createServices(datasets, configuration), {
  certificate: await loadOwnCertificate(path, '127.0.0.1'),
  filters: await openSavedFilters(configuration, datasets, console.error),
  allowHttp: true,
  log: pino(pino.destination({ dest: 2, sync: true })),
});
const { port } = await server.listen(0, '127.0.0.1');
console.log(`http://127.0.0.1:${port}`);
process.once('SIGTERM', async () => {
  await server.stop();
  process.exit(0);
});
