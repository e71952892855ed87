import { boundAnswer } from './bound-answer.ts';
import { declareTool } from './tool.ts';

/** More events, properties or values are cut. */
const MAX_ROWS = 200;

/** Describes the data, so that filters can name what is there. */
export const DESCRIBE_DATA = declareTool({
  name: 'describe_data',
  title: 'Describe the data',
  description:
    'Shows what the data holds: events with counts, dates, and properties with types and most frequent values. Call it ' +
    'first, and use the exact names and values in filters.',
  parameters: {},
  async run(_, data) {
    const { result, notes } = await data.describe();
    const { answer, truncated } = boundAnswer(result.description, MAX_ROWS);
    return { data: answer, truncated, notes };
  },
});
