import { join } from 'node:path';
import { getCurrentTime } from '../../base/current-time.ts';
import { Analytics } from '../analytics/analytics.ts';
import { QueryExecutor } from '../analytics/execution/query-executor.ts';
import { EventExports } from '../analytics/exports/event-exports.ts';
import { PeopleSessions } from '../analytics/people/people-sessions.ts';
import type { Datasets } from '../datasets/datasets.ts';
import { Annotations } from '../datasets/saved/annotations.ts';
import { Funnels } from '../datasets/saved/funnels.ts';
import { makeEmptyFolder } from '../storage/files.ts';
import type { ServedParts } from './routes/endpoint-services.ts';
import type { Configuration } from './settings/settings.ts';

/** The size of the cache of query results, in memory and in files. */
const CACHE = { cacheBytes: 64 * 2 ** 20, cacheFileBytes: 2 ** 30 };

/**
 * Creates the services of a server over an open data folder. Closing them closes the folder.
 *
 * @param clock Returns the time that queries take for the present, in Unix seconds.
 */
export async function createServices(
  datasets: Datasets,
  configuration: Configuration,
  clock = getCurrentTime,
): Promise<ServedParts> {
  const { data, queryTimeLimit, queriesAtOnce, queriesWaiting } = configuration;
  const limits = { atOnce: queriesAtOnce, waiting: queriesWaiting, seconds: queryTimeLimit, ...CACHE };
  const answers = join(data, 'answers');
  await makeEmptyFolder(answers);
  const people = await PeopleSessions.open(datasets, data);
  const executor = new QueryExecutor(limits, answers, (scope) => new Analytics(scope), clock);
  return {
    datasets,
    annotations: new Annotations(data, datasets.tellDamage),
    funnels: new Funnels(data, datasets.tellDamage),
    people,
    executor,
    exports: new EventExports(executor.turns, answers, clock),
    async close() {
      await people.close();
      await datasets.close();
    },
  };
}
