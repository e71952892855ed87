import { getOwnValue, isJsonObject } from '../../../base/json.ts';
import { suggest } from '../../../base/suggest.ts';
import { isLoopback } from './plain-http.ts';
import {
  type Configuration,
  getSettingKey,
  getVariableName,
  SETTINGS,
  type Setting,
  type SettingName,
} from './settings.ts';

/** An invalid setting. The message names the setting, where it is set, and what to write instead. */
export class ConfigurationError extends Error {}

/** The sources of settings. Flags win over the environment, and the environment over the file. */
export interface ConfigurationSource {
  /** By name of the setting; `undefined` for missing flags. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A configuration file and its content, a JSON object. */
  readonly file?: { readonly name: string; readonly text: string } | undefined;
}

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** Prefix of keys that are comments. */
const COMMENT_PREFIX = '//';

/**
 * Reads the settings of the service from flags, environment and file, with defaults.
 *
 * @throws {ConfigurationError} if a setting is unknown or invalid, or two settings conflict
 */
export function readConfiguration({ flags, environment, file }: ConfigurationSource): Configuration {
  const fileSettings = file === undefined ? {} : parseFile(file.name, file.text);
  const entries = NAMES.map((name) => {
    const setting: Setting<unknown> = SETTINGS[name];
    const sources = [
      [`--${getSettingKey(name)}`, getOwnValue(flags, name)],
      [getVariableName(name), environment[getVariableName(name)]],
      [`${getSettingKey(name)} in ${file?.name}`, getOwnValue(fileSettings, getSettingKey(name))],
    ] as const;
    const [source, given] = sources.find(([, value]) => value !== undefined && value !== null) ?? [];
    if (source === undefined) return [name, setting.defaultValue];
    const value = setting.read(given);
    if (value === undefined) throw new ConfigurationError(`${source} takes ${setting.takes}`);
    return [name, value];
  });
  const configuration = Object.fromEntries(entries) as Configuration;
  for (const [isWrong, reason] of listConflicts(configuration)) if (isWrong) throw new ConfigurationError(reason);
  return configuration;
}

function parseFile(name: string, text: string): Readonly<Record<string, unknown>> {
  const json = parseJson(name, text);
  if (!isJsonObject(json)) throw new ConfigurationError(`${name} must hold a JSON object with settings`);
  const keys = NAMES.map(getSettingKey);
  for (const key of Object.keys(json)) {
    if (keys.includes(key) || key.startsWith(COMMENT_PREFIX)) continue;
    const near = suggest(key, keys);
    const help = near === undefined ? `the settings are ${keys.join(', ')}` : `did you mean ${near}?`;
    throw new ConfigurationError(`${name} has an unknown setting ${key}: ${help}`);
  }
  return json;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError(`${name} is not JSON`);
  }
}

function listConflicts(configuration: Configuration): [boolean, string][] {
  const { host, tlsCert, tlsKey, behindProxy, allowHttp, store, clickhouseUrl, clickhouseCluster, memoryLimit } =
    configuration;
  const { webhook, webhookSecret, sharedData } = configuration;
  const hasClickHouse = clickhouseUrl !== undefined || clickhouseCluster !== undefined;
  return [
    [(tlsCert === undefined) !== (tlsKey === undefined), 'tls-cert and tls-key go together: give both or neither'],
    [webhook !== undefined && webhookSecret === undefined, 'webhook needs webhook-secret, which signs its requests'],
    [behindProxy && allowHttp, 'behind-proxy and allow-http cannot be used together'],
    [allowHttp && !isLoopback(host), `allow-http requires a loopback host, not ${host}: use host 127.0.0.1`],
    [store === 'clickhouse' && clickhouseUrl === undefined, 'store clickhouse needs clickhouse-url'],
    [store === 'duckdb' && sharedData, 'shared-data needs store clickhouse, because only one server can open DuckDB'],
    [store === 'duckdb' && hasClickHouse, 'clickhouse-url and clickhouse-cluster need store clickhouse'],
    [store === 'clickhouse' && memoryLimit !== undefined, 'memory-limit needs store duckdb'],
  ];
}
