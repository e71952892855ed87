import { ONWHERE_DIALECT } from '../engines/onwhere.ts';
import { projectPath, type Tool } from './tool.ts';

/** The command line of this package. */
export const ONWHERE_TOOL: Tool = {
  name: 'onwhere',
  command(asked, file) {
    const program = [process.execPath, projectPath('dist/cli.js'), asked.command] as const;
    if (asked.command === 'segment') {
      return [...program, `properties[${JSON.stringify(asked.property)}]`, file, '--json', '--limit', '1000'];
    }
    return [...program, asked.asked.question(ONWHERE_DIALECT), file];
  },
  segments(printed) {
    const { segments } = JSON.parse(printed) as { segments: { name: string; count: number }[] };
    return Object.fromEntries(segments.map(({ name, count }) => [name, count]));
  },
};
