import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAnswer } from '../src/analytics/stored-answer.ts';
import { prepareDemo } from '../src/cli/prepare-demo.ts';
import { createFullAccess } from '../src/datasets/access.ts';
import { Datasets } from '../src/datasets/datasets.ts';
import { answerEndpoint } from '../src/server/endpoints/answer-endpoint.ts';
import { ENDPOINTS } from '../src/server/endpoints/endpoints.ts';
import { readConfiguration } from '../src/server/read-configuration.ts';
import { createServices } from '../src/server/services-of.ts';
import { openStore } from '../src/store/open-store.ts';
import { getCurrentTime } from '../src/util/current-time.ts';
import { lastingAnswer } from './lasting-answer.ts';

/** What endpoints answer to their examples, one after the other, over the sample data: the text by the path. */
export async function demoAnswers(): Promise<ReadonlyMap<string, string>> {
  const data = await mkdtemp(join(tmpdir(), 'onwhere-answers-'));
  try {
    const configuration = readConfiguration({ flags: { data }, environment: {} });
    const { project } = await prepareDemo(configuration, getCurrentTime(), () => undefined);
    const datasets = await Datasets.open(
      data,
      (temporaryFolder) => openStore(configuration, temporaryFolder),
      () => undefined,
    );
    const services = await createServices(datasets, configuration);
    const answers = new Map<string, string>();
    for (const { path, example } of ENDPOINTS) {
      const access = createFullAccess(project, 'demo');
      const { text } = await answerEndpoint(services, access, path, example, new AbortController().signal);
      answers.set(path, lastingAnswer(await readAnswer(text)));
    }
    await services.close();
    return answers;
  } finally {
    await rm(data, { recursive: true });
  }
}
