import type { Endpoint, Group } from '../src/queries/endpoints/endpoint.ts';
import { SERVED_ENDPOINTS } from '../src/queries/endpoints/explain.ts';
import type { Parameter } from '../src/queries/endpoints/parameter.ts';
import { QUERY_PREFIX } from '../src/service/server/responses/query-answers.ts';
import { prettyJson } from './pretty-json.ts';

const TITLES: Readonly<Record<Group, string>> = {
  annotations: 'Annotations',
  events: 'Events',
  properties: 'Properties of events',
  funnels: 'Funnels',
  segmentation: 'Segmentation',
  retention: 'Retention',
  engage: 'People',
  overview: 'Overview',
  export: 'Raw events',
};

/** The address of `onwhere serve --demo`. */
export const DEMO_ADDRESS = 'http://127.0.0.1:8080';

/** Returns a page of the HTTP reference: the parameters and an example of each endpoint of a group. */
export function writeApiPage(group: Group, answers: ReadonlyMap<string, string>): string {
  const sections = SERVED_ENDPOINTS.filter((endpoint) => endpoint.group === group).map((endpoint) => {
    return writeSection(endpoint, answers.get(endpoint.path) ?? 'null');
  });
  return [
    `# ${TITLES[group]}\n`,
    '<!-- Written by `npm run generate`. -->\n',
    'For authentication and errors, see the [introduction](README.md). [Queries](../queries.md) defines what each query counts.\n',
    ...sections,
  ].join('\n');
}

/** Reads the responses in a page, by the paths of their endpoints. */
export function readAnswers(page: string): ReadonlyMap<string, string> {
  const sections = page.matchAll(/^## `\/api\/2\.0(\S+)`.*?^```json\n(.*?)\n```$/gms);
  return new Map(Array.from(sections, ([, path = '', answer = '']) => [path, answer]));
}

function writeSection({ path, summary, parameters, example, hasLines }: Endpoint, answer: string): string {
  const rows = Object.entries(parameters).map(([name, parameter]) => writeRow(name, parameter));
  const table = ['| Parameter | Takes | Default | |', '|---|---|---|---|', ...rows];
  const options = Object.entries(example).map(([name, value]) => `--data-urlencode '${name}=${value}'`);
  return [
    `## \`${QUERY_PREFIX}${path}\`\n`,
    `${summary}.\n`,
    ...(rows.length === 0 ? ['This endpoint has no parameters.'] : table),
    '',
    '```sh',
    [`curl -u "$ONWHERE_SECRET:" ${DEMO_ADDRESS}${QUERY_PREFIX}${path}`, ...options].join(' \\\n  '),
    '```',
    '',
    ...(hasLines ? ['The response has a line for each event, with all of it in one line:', ''] : []),
    '```json',
    prettyJson(JSON.parse(answer)),
    '```',
    '',
  ].join('\n');
}

function writeRow(name: string, { kind, description, isRequired, defaultValue, alias }: Parameter): string {
  const fallback = defaultValue === undefined ? '' : `\`${defaultValue}\``;
  const names = alias === undefined ? `\`${name}\`` : `\`${name}\` or \`${alias}\``;
  return `| ${names} | ${kind.takes} | ${isRequired ? 'required' : fallback} | ${description} |`;
}
