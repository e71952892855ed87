import type { Reporter, TestModule, Vitest } from 'vitest/node';

/**
 * Prints the names of skipped tests and a last line `N passed, N failed, N skipped`. A file that does not load, a hook
 * that fails, and a file that never finishes because its process ended count as failures.
 */
export default class SummaryReporter implements Reporter {
  private isFiltered = false;
  private seed: string | undefined;

  onInit({ config }: Vitest): void {
    this.isFiltered = config.testNamePattern !== undefined;
    this.seed = config.env?.ONWHERE_SEED;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = suites.filter((suite) => suite.errors().length > 0).length;
    const unfinished = modules.filter((module) => ['queued', 'pending'].includes(module.state()));
    for (const { relativeModuleId, project } of unfinished)
      console.log(`\n${relativeModuleId} (${project.name}) did not finish: its process ended.`);
    // With `-t`, the tests with other names are skipped.
    if (!this.isFiltered) for (const line of modules.flatMap(describeSkipped)) console.log(`skipped: ${line}`);
    const failed = count('failed') + broken + unfinished.length;
    if (failed > 0) console.log(`\nTo draw the same samples again, set ONWHERE_SEED=${this.seed}`);
    console.log(`\n${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`);
  }
}

/** Returns a line for each skipped test, or one for the file if all are skipped. */
function describeSkipped({ relativeModuleId, children }: TestModule): string[] {
  const tests = [...children.allTests()];
  const skipped = tests.filter((test) => test.result().state === 'skipped');
  if (skipped.length > 0 && skipped.length === tests.length)
    return [`${relativeModuleId} (all ${tests.length} of its tests)`];
  return skipped.map((test) => {
    const result = test.result();
    const reason = 'note' in result && result.note !== undefined ? `: ${result.note}` : '';
    return `${relativeModuleId} > ${test.fullName}${reason}`;
  });
}
