import type { Endpoint, Group } from '../src/service/server/endpoints/endpoint.ts';
import { ENDPOINTS } from '../src/service/server/endpoints/endpoints.ts';
import type { Parameter } from '../src/service/server/endpoints/parameter.ts';
import { EXPORT_PREFIX } from '../src/service/server/export-answers.ts';
import { prettyJson } from './pretty-json.ts';

const TITLES: Readonly<Record<Group, string>> = {
  annotations: 'Annotations',
  events: 'Events',
  properties: 'Properties of events',
  funnels: 'Funnels',
  segmentation: 'Segmentation',
  retention: 'Retention',
  engage: 'People',
};

/** Where the demo of `onwhere serve --demo` is. */
export const DEMO_ADDRESS = 'http://127.0.0.1:8080';

/** A page of the reference: what each endpoint of a group takes, and what it answers to its example. */
export function apiPage(group: Group, answers: ReadonlyMap<string, string>): string {
  const sections = ENDPOINTS.filter((endpoint) => endpoint.group === group).map((endpoint) => {
    return section(endpoint, answers.get(endpoint.path) ?? 'null');
  });
  return [
    `# ${TITLES[group]}\n`,
    '<!-- Written by `npm run generate`. -->\n',
    'How to ask, and what is answered to mistakes, is in [the introduction](README.md); what exactly is counted, in [Queries](../queries.md).\n',
    ...sections,
  ].join('\n');
}

/** The answers in a page, by the paths of their endpoints. */
export function answersIn(page: string): ReadonlyMap<string, string> {
  const sections = page.matchAll(/^## `\/api\/2\.0(\S+)`.*?^```json\n(.*?)\n```$/gms);
  return new Map(Array.from(sections, ([, path = '', answer = '']) => [path, answer]));
}

function section({ path, summary, parameters, example }: Endpoint, answer: string): string {
  const rows = Object.entries(parameters).map(([name, parameter]) => row(name, parameter));
  const table = ['| Parameter | Takes | Default | |', '|---|---|---|---|', ...rows];
  const options = Object.entries(example).map(([name, value]) => `--data-urlencode '${name}=${value}'`);
  return [
    `## \`${EXPORT_PREFIX}${path}\`\n`,
    `${summary}.\n`,
    ...(rows.length === 0 ? ['It takes no parameters.'] : table),
    '',
    '```sh',
    [`curl -u "$ONWHERE_SECRET:" ${DEMO_ADDRESS}${EXPORT_PREFIX}${path}`, ...options].join(' \\\n  '),
    '```',
    '',
    '```json',
    prettyJson(JSON.parse(answer)),
    '```',
    '',
  ].join('\n');
}

function row(name: string, { kind, description, isRequired, otherwise, alias }: Parameter): string {
  const standard = otherwise === undefined ? '' : `\`${otherwise}\``;
  const names = alias === undefined ? `\`${name}\`` : `\`${name}\` or \`${alias}\``;
  return `| ${names} | ${kind.takes} | ${isRequired ? 'required' : standard} | ${description} |`;
}
