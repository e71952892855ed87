import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCurrentTime } from '../src/base/current-time.ts';
import { prepareDemo } from '../src/cli/prepare-demo.ts';
import { createFullAccess } from '../src/queries/access.ts';
import { readAnswer } from '../src/queries/answer-stream.ts';
import { answerEndpoint } from '../src/queries/endpoints/answer-endpoint.ts';
import { ENDPOINTS } from '../src/queries/endpoints/endpoints.ts';
import { Datasets } from '../src/service/datasets/datasets.ts';
import { createServices } from '../src/service/server/create-services.ts';
import { createEndpointServices } from '../src/service/server/routes/endpoint-services.ts';
import { readConfiguration } from '../src/service/server/settings/read-configuration.ts';
import { openStore } from '../src/service/store/open-store.ts';
import { normalizeAnswer } from './normalize-answer.ts';

/** Runs the example of each endpoint on the sample data; returns the responses by path. */
export async function runExamples(): Promise<ReadonlyMap<string, string>> {
  const data = await mkdtemp(join(tmpdir(), 'onwhere-answers-'));
  try {
    const configuration = readConfiguration({ flags: { data }, environment: {} });
    const { project } = await prepareDemo(configuration, getCurrentTime(), () => undefined);
    const datasets = await Datasets.open(
      data,
      (temporaryFolder) => openStore(configuration, temporaryFolder),
      () => undefined,
    );
    const parts = await createServices(datasets, configuration);
    const services = createEndpointServices(parts);
    const answers = new Map<string, string>();
    for (const { path, example, hasLines } of ENDPOINTS) {
      const access = createFullAccess(project, 'demo');
      const { text } = await answerEndpoint(services, access, path, example, new AbortController().signal);
      const whole = normalizeAnswer(await readAnswer(text));
      // Every line has the same form.
      answers.set(path, hasLines ? (whole.split('\n')[0] as string) : whole);
    }
    await parts.close();
    return answers;
  } finally {
    await rm(data, { recursive: true });
  }
}
