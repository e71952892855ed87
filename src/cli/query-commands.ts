import { type Command, Option } from 'commander';
import type { Endpoint } from '../queries/endpoints/endpoint.ts';
import { ENDPOINTS } from '../queries/endpoints/endpoints.ts';
import { expressionText, funnelSteps, type ParameterKind, segments, strings } from '../queries/endpoints/kinds.ts';
import type { Parameter, Parameters } from '../queries/endpoints/parameter.ts';
import { getParameterFlag } from '../queries/endpoints/parameter-flag.ts';
import type { AnsweredPath } from './answers/render-answer.ts';
import { isChosen } from './api/query-defaults.ts';
import type { Io } from './io.ts';
import { addFieldOptions, addFormatOptions, createTimeZoneOption, RAW_OPTION } from './options.ts';
import { addPlaceOptions, addSettings, STORE_SETTINGS } from './place-options.ts';
import { readSteps } from './read-steps.ts';

/** Maps the words of each query command to its endpoint. */
const PATHS: Readonly<Record<string, AnsweredPath>> = {
  events: '/events',
  top: '/events/top',
  'events names': '/events/names',
  'events properties': '/events/properties',
  'events properties top': '/events/properties/top',
  'events properties values': '/events/properties/values',
  funnel: '/funnels',
  segmentation: '/segmentation',
  'segmentation numeric': '/segmentation/numeric',
  'segmentation sum': '/segmentation/sum',
  'segmentation average': '/segmentation/average',
  retention: '/retention',
  'retention addiction': '/retention/addiction',
  people: '/engage',
};

/** The endpoints with answers over time, which can be drawn as charts. Other answers have bars where these help. */
const CHARTED: ReadonlySet<AnsweredPath> = new Set([
  '/events',
  '/events/properties',
  '/segmentation',
  '/segmentation/numeric',
  '/segmentation/sum',
  '/segmentation/average',
]);

/** The defaults of tables that differ from those of the interface. */
const SHOWN_DEFAULTS: Readonly<Record<string, string>> = {
  interval_count: 'as many as the dates have, at most 90; 1 with --json',
};

/** The commands that most people ask of files. */
const FOR_FILES = ['funnel', 'retention', 'top', 'people', 'export'];

const EXAMPLES: Readonly<Partial<Record<AnsweredPath, string>>> = {
  '/funnels': `onwhere funnel shop.ndjson 'view product' 'add to cart' purchase`,
  '/retention': `onwhere retention shop.ndjson --born-event 'sign up' --event purchase`,
};

const AFTER_HELP = `
The command queries the files, if any are named, without a server. Events that need more memory than --memory-limit
(by default 2 GB, or 40 % of the machine's if that is less) are queried with DuckDB, if it is installed.
Dates and event names default to those of the events.
Without files, it queries the server at --server, with the secret of a project, or standard input.
With --project and --data, it queries a data folder instead; no server may have that folder open.
Prefer ONWHERE_SECRET to --secret: other users of this machine can see command lines.`;

const AFTER_EXPORT_HELP = `
Each line is a record: {"event": …, "properties": {…}} or {"$distinct_id": …, "$properties": {…}}.
Without dates, all events are exported. An event that files have twice, by its $insert_id, is exported once.
Without files, it reads the server at --server, with the secret of a project, or standard input.
With --project and --data, it reads a data folder that no server has open.
A file called events or people is written as ./events.

Copy everything into another project:
  onwhere export --project shop --output events.ndjson.gz
  onwhere export people --project shop --output people.ndjson.gz
  onwhere import events.ndjson.gz people.ndjson.gz --project copy --dataset orders`;

/**
 * Adds a command for each query of the HTTP interface, with its parameters as options.
 *
 * @param filesGroup The group in the help of the commands that most people ask of files.
 */
export function addQueryCommands(program: Command, io: Io, filesGroup: string): void {
  for (const [words, path] of Object.entries(PATHS)) {
    const endpoint = ENDPOINTS.find((one) => one.path === path);
    if (endpoint !== undefined) addQueryCommand(program, io, words.split(' '), path, endpoint);
  }
  addExportCommand(program, io);
  for (const name of FOR_FILES) findOrAddCommand(program, name).helpGroup(filesGroup);
}

function addQueryCommand(
  program: Command,
  io: Io,
  words: readonly string[],
  path: AnsweredPath,
  { summary, parameters: declared }: Endpoint,
): void {
  const command = words.reduce(findOrAddCommand, program).description(lowerFirst(summary));
  const isFunnel = path === '/funnels';
  command.argument(
    isFunnel ? '[files-and-steps...]' : '[files...]',
    `event files, folders or quoted patterns to query without a server${isFunnel ? ', then the event of each step' : ''}`,
  );
  const names = Object.keys(declared).filter((name) => name !== 'format' && name !== 'verbose');
  const options = names.map((name) => [name, createOption(name, declared)] as const);
  for (const [, option] of options) command.addOption(option);
  command.addOption(new Option('--json', 'print the JSON response').conflicts('csv'));
  if (Object.hasOwn(declared, 'format')) command.option('--csv', 'print the CSV response');
  if (CHARTED.has(path))
    command.addOption(new Option('--chart', 'draw a chart of each series').conflicts(['json', 'csv']));
  const example = EXAMPLES[path];
  if (example !== undefined) command.addHelpText('after', `\nFor example:\n  ${example}`);
  const canBeUnique = Object.hasOwn(declared, 'type');
  if (canBeUnique)
    command.addOption(new Option('--unique', 'count distinct users, as --type unique does').conflicts('type'));
  addPlaces(command).addHelpText('after', AFTER_HELP);
  command.action(async (files, { unique, ...given }) => {
    const query = { ...readOptions(options, given), ...(unique && { type: 'unique' }) };
    const canWarn = Object.hasOwn(declared, 'verbose');
    const { runFunnel, runQuery } = await import('./commands/ask.ts');
    await (isFunnel ? runFunnel : runQuery)(io, { path, canWarn }, query, files, given);
  });
}

/** Adds the command that prints raw events and people. */
function addExportCommand(program: Command, io: Io): void {
  const endpoint = ENDPOINTS.find(({ path }) => path === '/export') as Endpoint;
  const command = program
    .command('export')
    .description('print raw events, ordered by time, or people, as `import` takes them')
    .argument('[kind-and-files...]', 'events (the default) or people, then event files, folders or quoted patterns');
  const options = Object.keys(endpoint.parameters).map(
    (name) => [name, createOption(name, endpoint.parameters)] as const,
  );
  for (const [, option] of options) command.addOption(option);
  command.option('--output <file>', 'write this file when all is read; .gz compresses it (default: standard output)');
  command.option(...RAW_OPTION);
  addPlaces(command)
    .addHelpText('after', AFTER_EXPORT_HELP)
    .action(async (words, given) => {
      const parameters = readOptions(options, given);
      for (const [, option] of options) Reflect.deleteProperty(given, option.attributeName());
      await (await import('./commands/export.ts')).runExport(io, words, parameters, given);
    });
}

/** Returns the parameters that are given as options. */
function readOptions(
  options: readonly (readonly [name: string, option: Option])[],
  given: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  const parameters = options.flatMap(([name, option]) => {
    const value = given[option.attributeName()];
    if (value === undefined) return [];
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)] as const];
  });
  return Object.fromEntries(parameters);
}

/** Adds the options that say how to read files, or name a server or a project of a data folder. */
function addPlaces(command: Command): Command {
  addPlaceOptions(command).addOption(createTimeZoneOption());
  return addSettings(addFormatOptions(addFieldOptions(command)), STORE_SETTINGS);
}

/** Returns a subcommand, which it adds if it is missing. */
function findOrAddCommand(parent: Command, word: string): Command {
  return parent.commands.find((command) => command.name() === word) ?? parent.command(word);
}

/** Creates the option of a parameter. The endpoint validates the value. */
function createOption(name: string, parameters: Parameters): Option {
  const { kind, description, isRequired, defaultValue } = parameters[name] as Parameter;
  // The API pages write names of parameters and values in backticks.
  const text = description.replace(/`([^`]*)`/g, (_, word) =>
    Object.hasOwn(parameters, word) ? getParameterFlag(word) : word,
  );
  const notes = [
    ...(isRequired && !isChosen(name) ? ['required'] : []),
    ...(defaultValue === undefined ? [] : [`default: ${SHOWN_DEFAULTS[name] ?? defaultValue}`]),
  ];
  const remark = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  const option = new Option(
    `${getParameterFlag(name)} <${getPlaceholder(kind)}>`,
    lowerFirst(text.replace(/\.$/, '')) + remark,
  );
  return kind === funnelSteps ? option.argParser(readSteps) : option;
}

function getPlaceholder(kind: ParameterKind<unknown>): string {
  const { type, format, enum: words } = kind.schema as { type?: string; format?: string; enum?: readonly string[] };
  if (kind === strings || kind === segments) return 'string...';
  if (kind === funnelSteps) return 'events|json';
  if (kind === expressionText) return 'expression';
  return words?.join('|') ?? format ?? (type === 'integer' ? 'number' : 'string');
}

/** Returns a text with a small first letter, unless it begins with an abbreviation such as ID. */
function lowerFirst(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.slice(0, 1).toLowerCase() + text.slice(1);
}
