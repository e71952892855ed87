import { type Command, Option } from 'commander';
import type { Endpoint } from '../service/server/endpoints/endpoint.ts';
import { ENDPOINTS } from '../service/server/endpoints/endpoints.ts';
import { expressionText, type ParameterKind, segments, texts } from '../service/server/endpoints/kinds.ts';
import type { Parameter, Parameters } from '../service/server/endpoints/parameter.ts';
import type { AnsweredPath } from './answers/render-answer.ts';
import type { Io } from './io.ts';
import { STORE_SETTINGS, withSettings } from './service-commands.ts';

/** The endpoints that have a command, by the words that it is called with. */
const PATHS: Readonly<Record<string, AnsweredPath>> = {
  events: '/events',
  'events top': '/events/top',
  'events names': '/events/names',
  'events properties': '/events/properties',
  'events properties top': '/events/properties/top',
  'events properties values': '/events/properties/values',
  'funnel show': '/funnels',
  segmentation: '/segmentation',
  'segmentation numeric': '/segmentation/numeric',
  'segmentation sum': '/segmentation/sum',
  'segmentation average': '/segmentation/average',
  retention: '/retention',
  'retention addiction': '/retention/addiction',
  people: '/engage',
};

const AFTER_HELP = `
Who is asked is the server at --server, with the secret of its project; or, with --project and --data, a data folder that no server has open.
The secret is better kept in ONWHERE_SECRET: others on this machine can see what is on a command line.`;

/** The commands that ask the queries of the published interface, with its parameters as options. */
export function addQueryCommands(program: Command, io: Io): void {
  for (const [words, path] of Object.entries(PATHS)) {
    const endpoint = ENDPOINTS.find((one) => one.path === path);
    if (endpoint !== undefined) addQueryCommand(program, io, words.split(' '), path, endpoint);
  }
}

function addQueryCommand(
  program: Command,
  io: Io,
  words: readonly string[],
  path: AnsweredPath,
  { summary, parameters }: Endpoint,
): void {
  const command = words.reduce(commandIn, program).description(lowerFirst(summary));
  const names = Object.keys(parameters).filter((name) => name !== 'format');
  const options = names.map((name) => [name, optionOf(name, parameters)] as const);
  for (const [, option] of options) command.addOption(option);
  command.addOption(new Option('--json', 'print the JSON of the interface').conflicts('csv'));
  if (Object.hasOwn(parameters, 'format')) command.option('--csv', 'print the CSV of the interface');
  withApi(command).action(async (given) => {
    const asked = options.flatMap(([name, option]) => {
      const value = given[option.attributeName()];
      return value === undefined ? [] : [[name, Array.isArray(value) ? JSON.stringify(value) : value]];
    });
    await (await import('./commands/ask.ts')).runQuery(io, path, Object.fromEntries(asked), given);
  });
}

/** Who is asked. */
function withApi(command: Command): Command {
  command
    .option('--server <url>', 'a server, like https://localhost:8443 (env: ONWHERE_SERVER)')
    .option('--secret <secret>', 'the secret of the project (env: ONWHERE_SECRET)')
    .option('--ca <file>', 'the certificate in PEM of a server that has made its own (env: ONWHERE_CA)')
    .option('--project <name>', 'a project of a data folder, instead of a server');
  return withSettings(command, STORE_SETTINGS).addHelpText('after', AFTER_HELP);
}

/** The command of a word among those of another. */
function commandIn(parent: Command, word: string): Command {
  return parent.commands.find((command) => command.name() === word) ?? parent.command(word);
}

/** Whether a value is right is for whoever answers to say. */
function optionOf(name: string, parameters: Parameters): Option {
  const { kind, description, isRequired, otherwise } = parameters[name] as Parameter;
  // Documents have names of parameters in backticks, and values.
  const text = description.replace(/`([^`]*)`/g, (_, word) => (Object.hasOwn(parameters, word) ? flagOf(word) : word));
  const more = [...(isRequired ? ['required'] : []), ...(otherwise === undefined ? [] : [`default: ${otherwise}`])];
  const remark = more.length === 0 ? '' : ` (${more.join(', ')})`;
  return new Option(`${flagOf(name)} <${placeholderOf(kind)}>`, lowerFirst(text.replace(/\.$/, '')) + remark);
}

function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

function placeholderOf(kind: ParameterKind<unknown>): string {
  const { type, format, enum: words } = kind.schema as { type?: string; format?: string; enum?: readonly string[] };
  if (kind === texts || kind === segments) return 'text...';
  if (kind === expressionText) return 'expression';
  return words?.join('|') ?? format ?? (type === 'integer' ? 'number' : 'text');
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
