import { ONWHERE_DIALECT } from '../engines/onwhere.ts';
import { resolveProjectPath, type Tool } from './tool.ts';

/** The `onwhere` command. */
export const ONWHERE_TOOL: Tool = {
  name: 'onwhere',
  command(testCase, file) {
    const program = [process.execPath, resolveProjectPath('dist/cli/main.js'), testCase.command] as const;
    if (testCase.command === 'segment') {
      return [...program, `properties[${JSON.stringify(testCase.property)}]`, file, '--json', '--limit', '1000'];
    }
    return [...program, testCase.filterCase.filter(ONWHERE_DIALECT), file];
  },
  segments(printed) {
    const { segments } = JSON.parse(printed) as { segments: { name: string; count: number }[] };
    return Object.fromEntries(segments.map(({ name, count }) => [name, count]));
  },
};
