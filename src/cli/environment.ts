import { suggest } from '../base/suggest.ts';
import { getVariableName, SETTINGS } from '../service/server/settings/settings.ts';
import type { Io } from './io.ts';

/** The options besides settings that environment variables set. */
const OPTIONS = ['config', 'server', 'secret', 'ca'] as const;

/** Returns the value of the environment variable of an option; undefined if it is not set. */
export function readVariable({ env }: Pick<Io, 'env'>, option: (typeof OPTIONS)[number]): string | undefined {
  return env[getVariableName(option)];
}

/** The variables of the tests, the examples and the deployment, which the commands that these start inherit. */
const READ_BY_OTHERS: ReadonlySet<string> = new Set(
  [
    ...['check clickhouse', 'check cluster', 'kills', 'real data', 'runs', 'seconds', 'seed', 'test takeover ms'],
    ...['site', 'token'],
  ].map((words) => getVariableName(words.replaceAll(' ', '-'))),
);

const PREFIX = getVariableName('');

/** Returns a sentence about each environment variable that is named like those of onwhere, and that nothing reads. */
export function describeUnreadVariables(env: Io['env']): string[] {
  const names = [...OPTIONS, ...Object.keys(SETTINGS)].map((name) => getVariableName(name).slice(PREFIX.length));
  return Object.keys(env).flatMap((variable) => {
    const name = variable.slice(PREFIX.length);
    if (!variable.startsWith(PREFIX) || names.includes(name) || READ_BY_OTHERS.has(variable)) return [];
    const near = suggest(name, names);
    const advice =
      near === undefined
        ? `Variables are named like options of the service: ${getVariableName('tlsCert')} is --tls-cert`
        : `Did you mean ${PREFIX}${near}?`;
    return [`Nothing reads the environment variable ${variable}. ${advice}`];
  });
}
