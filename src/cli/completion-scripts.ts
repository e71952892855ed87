import type { Command, Option } from 'commander';
import { listCommandWords } from './command-names.ts';

/** A command with what can follow it. */
interface Place {
  /** The words of the command, each after a space: ` query count`. */
  readonly path: string;
  /** The subcommands, and the choices of the first argument. */
  readonly words: readonly Suggestion[];
  readonly options: readonly (Suggestion & { readonly takesValue: boolean; readonly choices: readonly string[] })[];
}

interface Suggestion {
  readonly word: string;
  readonly description: string;
}

/** The scripts by shell. Each completes commands, options and choices, and file names elsewhere. */
export const COMPLETION_SCRIPTS: Readonly<Record<string, (program: Command) => string>> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
};

function listPlaces(command: Command): Place[] {
  const help = command.createHelp();
  const [argument] = command.registeredArguments;
  return [
    {
      path: listCommandWords(command)
        .map((word) => ` ${word}`)
        .join(''),
      words: [
        ...help
          .visibleCommands(command)
          .map((below) => ({ word: below.name(), description: firstLine(below.description()) })),
        ...(argument?.argChoices ?? []).map((word) => ({ word, description: argument?.description ?? '' })),
      ],
      options: help.visibleOptions(command).map((option) => ({
        word: option.long ?? option.flags,
        description: firstLine(option.description),
        takesValue: option.required || option.optional,
        choices: listChoices(option),
      })),
    },
    ...command.commands.flatMap(listPlaces),
  ];
}

/** Returns the choices of an option, which some options have in their placeholder: `<day|week>`. */
function listChoices({ argChoices, flags }: Option): readonly string[] {
  return argChoices ?? /<(\w+(?:\|\w+)+)>/.exec(flags)?.[1]?.split('|') ?? [];
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

/** Writes the branches of a `case` that has one for each place with choices. */
function writeCases(
  places: readonly Place[],
  list: (place: Place) => readonly (readonly [pattern: string, body: string])[],
): string {
  return places
    .flatMap(list)
    .map(([pattern, body]) => `    ${quote(pattern)}) ${body} ;;`)
    .join('\n');
}

function listChoiceCases({ path, options }: Place): [string, string][] {
  return options
    .filter(({ choices }) => choices.length > 0)
    .map(({ word, choices }) => [`${path} ${word}`, `items=(${choices.map(quote).join(' ')})`]);
}

/** Writes the loop that finds the command among the words before the cursor. */
function writeLoop(places: readonly Place[], words: string): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `  for word in ${words}; do
    case "$at $word" in
      ${known.join('|')}) at="$at $word" ;;
    esac
  done`;
}

function writeBash(program: Command): string {
  const places = listPlaces(program);
  const listItems = (items: readonly Suggestion[]) => `items=(${items.map(({ word }) => quote(word)).join(' ')})`;
  return `# Completion of onwhere in bash. Load it with: eval "$(onwhere completion bash)"
_onwhere() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at="" word
  local -a items=()
${writeLoop(places, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  case "$at $previous" in
${writeCases(places, listChoiceCases)}
    *) if [[ $current == -* ]]; then case "$at" in
${writeCases(places, ({ path, options }) => [[path, listItems(options)]])}
    esac; else case "$at" in
${writeCases(places, ({ path, words }) => (words.length === 0 ? [] : [[path, listItems(words)]]))}
    esac; fi ;;
  esac
  COMPREPLY=()
  for word in "\${items[@]}"; do
    [[ $word == "$current"* ]] && COMPREPLY+=("$word")
  done
}
complete -o default -F _onwhere onwhere
`;
}

function writeZsh(program: Command): string {
  const places = listPlaces(program);
  const listItems = (items: readonly Suggestion[]) =>
    `items=(${items.map(({ word, description }) => quote(`${word}:${description}`)).join(' ')})`;
  return `#compdef onwhere
# Completion of onwhere in zsh. Load it with: eval "$(onwhere completion zsh)"
_onwhere() {
  local at="" word
  local -a items
${writeLoop(places, `"\${(@)words[2,CURRENT-1]}"`)}
  case "$at \${words[CURRENT-1]}" in
${writeCases(places, listChoiceCases)}
    *) if [[ \${words[CURRENT]} == -* ]]; then case "$at" in
${writeCases(places, ({ path, options }) => [[path, listItems(options)]])}
    esac; else case "$at" in
${writeCases(places, ({ path, words }) => (words.length === 0 ? [] : [[path, listItems(words)]]))}
    esac; fi ;;
  esac
  if (( \${#items} )); then
    _describe onwhere items
  else
    _files
  fi
}
if (( \${+functions[compdef]} )); then compdef _onwhere onwhere; fi
`;
}

function writeFish(program: Command): string {
  const places = listPlaces(program);
  const known = places.filter(({ path }) => path !== '').map(({ path }) => quoteForFish(path));
  const lines = places.flatMap(({ path, words, options }) => {
    const begin = `complete -c onwhere -n "__onwhere_at ${quoteForFish(path)}"`;
    return [
      ...words.map(({ word, description }) => `${begin} -a ${quoteForFish(word)} -d ${quoteForFish(description)}`),
      ...options.map(({ word, description, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a ${quoteForFish(choices.join(' '))}` : takesValue ? ' -r' : '';
        return `${begin} -l ${word.replace(/^--/, '')}${value} -d ${quoteForFish(description)}`;
      }),
    ];
  });
  return `# Completion of onwhere in fish. Load it with: onwhere completion fish | source
function __onwhere_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    if contains -- "$at $word" ${known.join(' ')}
      set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}

/** Quotes a string for bash and zsh. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function quoteForFish(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
