import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints a last line `N passed, N failed`. A file that does not load, a hook that fails, and a file that never finishes
 * because its process ended count as failures.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const broken = suites.filter((suite) => suite.errors().length > 0).length;
    const unfinished = modules.filter((module) => ['queued', 'pending'].includes(module.state()));
    for (const { relativeModuleId, project } of unfinished)
      console.log(`\n${relativeModuleId} (${project.name}) did not finish: its process ended.`);
    const failed = count('failed') + broken + unfinished.length;
    const skipped = count('skipped');
    console.log(`\n${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  }
}
