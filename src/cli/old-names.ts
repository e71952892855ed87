/** Old words of commands with the new ones, which take the same arguments. They are accepted for one version. */
const COMMANDS: Readonly<Record<string, string>> = {
  users: 'people',
  'events top': 'top',
  'funnel show': 'funnel',
  'query filter': 'filter',
  'query count': 'count',
  'query segment': 'segment',
};

/** Old flags with the new ones, by command. They are accepted for one version. */
const FLAGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  events: { '--unit': '--by' },
  funnel: { '--unit': '--by' },
  retention: { '--unit': '--by' },
  segmentation: { '--unit': '--by' },
  sql: { '--where': '--use=where', '--on': '--use=on' },
};

/** A command line with new names only. */
interface RenamedWords {
  readonly words: readonly string[];
  /** The old names with the new ones. */
  readonly renamed: readonly (readonly [old: string, now: string])[];
}

/** Replaces the old names of commands and flags by those that have the same meaning now. */
export function replaceOldNames(args: readonly string[]): RenamedWords {
  const renamed: (readonly [string, string])[] = [];
  const length = [2, 1].find((count) => Object.hasOwn(COMMANDS, args.slice(0, count).join(' '))) ?? 0;
  const old = args.slice(0, length).join(' ');
  const command = length === 0 ? [] : [COMMANDS[old] as string];
  if (length > 0) renamed.push([`onwhere ${old}`, `onwhere ${command[0]}`]);
  const rest = args.slice(length);
  const flags = FLAGS[command[0] ?? rest[0] ?? ''] ?? {};
  const end = rest.indexOf('--');
  const replaced = rest.map((word, index) => {
    const [flag = '', ...value] = word.split('=');
    const now = Object.hasOwn(flags, flag) && (end === -1 || index < end) ? flags[flag] : undefined;
    if (now === undefined) return word;
    renamed.push([flag, now.replace('=', ' ')]);
    return [now, ...value].join('=');
  });
  return { words: [...command, ...replaced], renamed };
}
