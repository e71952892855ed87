import { describeOperator } from '../../editor/documentation.ts';
import { OPERATORS } from '../../lang/operators/table.ts';
import { boundAnswer } from './bound-answer.ts';
import type { DataSource } from './data-source.ts';
import { LANGUAGE_CARD } from './language-card.ts';
import { QUERIES } from './queries.ts';
import { createInputSchema } from './read-arguments.ts';

/** A text that a client can read. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: 'text/markdown' | 'application/json';
  read(data: DataSource): Promise<string>;
}

/** More properties or values are cut. */
const MAX_ROWS = 1_000;

/** All resources. */
export const RESOURCES: readonly Resource[] = [
  {
    uri: 'onwhere://language',
    name: 'language',
    description: 'The language of filters on one page',
    mimeType: 'text/markdown',
    read: async () => LANGUAGE_CARD,
  },
  {
    uri: 'onwhere://operators',
    name: 'operators',
    description: 'Every operator and function, with examples and their results',
    mimeType: 'text/markdown',
    read: async () => OPERATORS.map((row) => `## \`${row.name}\`\n\n${describeOperator(row)}\n`).join('\n'),
  },
  {
    uri: 'onwhere://schema',
    name: 'schema',
    description: 'The properties of the data, with their types and, if they are few, their values',
    mimeType: 'application/json',
    async read(data) {
      const { answer, truncated } = boundAnswer((await data.readSchema()) ?? null, MAX_ROWS);
      return JSON.stringify({ schema: answer, truncated });
    },
  },
  {
    uri: 'onwhere://queries',
    name: 'queries',
    description: 'The queries of run_query, with the JSON Schema of their parameters and an example',
    mimeType: 'application/json',
    read: async () =>
      JSON.stringify(
        QUERIES.map(({ name, endpoint: { summary, example }, parameters }) => {
          return { query: name, summary, parameters: createInputSchema(parameters), example };
        }),
      ),
  },
];
