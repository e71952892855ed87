import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: { readonly 'node-version'?: string };
}

/** Returns the steps of the only job of a workflow. */
function readSteps(name: string): readonly Step[] {
  const { jobs } = parse(read(`.github/workflows/${name}.yml`)) as { jobs: Record<string, { steps: Step[] }> };
  const [steps, ...others] = Object.values(jobs).map((job) => job.steps);
  expect(others).toEqual([]);
  return steps ?? [];
}

const { engines } = JSON.parse(read('package.json'));

it.each(['ci', 'release'])('the workflow %s runs `.ci/run` on the least version of Node.js', (name) => {
  const steps = readSteps(name);
  expect(steps.map(({ run }) => run)).toContain('.ci/run');
  expect(steps.flatMap((step) => step.with?.['node-version'] ?? [])).toEqual([engines.node.replace('>=', '')]);
});

it('the workflow of releases publishes what it built after the checks', () => {
  const commands = readSteps('release').flatMap(({ run }) => run ?? []);
  expect(commands.slice(-3)).toEqual(['.ci/run', 'npm run build', expect.stringMatching(/^npx .* publish /)]);
});
