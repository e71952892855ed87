import { runOnwhere } from '../service/data-folder.ts';
import { FUNNEL_STEPS } from './query-case.ts';

/** Creates the funnel of the queries in the project `bench` of a data folder. */
export function createFunnel(data: string): void {
  const steps = FUNNEL_STEPS.flatMap((step) => ['--step', step]);
  const length = ['--length', '7', '--length-unit', 'day'];
  runOnwhere('funnel', 'create', 'buying', ...steps, ...length, '--project', 'bench', '--data', data);
}
