/** The flags whose names differ from those of the parameters. */
const FLAGS: Readonly<Record<string, string>> = { unit: 'by' };

/** Returns the flag of the command line for a parameter: `--from-date` for `from_date`, and `--by` for `unit`. */
export function getParameterFlag(name: string): string {
  return `--${FLAGS[name] ?? name.replaceAll('_', '-')}`;
}
