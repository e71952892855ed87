import { getOwnValue, isJsonObject } from '../../lang/util/json.ts';
import { suggest } from '../../lang/util/suggest.ts';
import { isLoopback } from './plain-http.ts';
import {
  type Configuration,
  getSettingKey,
  getVariableName,
  SETTINGS,
  type Setting,
  type SettingName,
} from './settings.ts';

/** Settings that the service cannot run with. The message says which, where they stand and what to write instead. */
export class ConfigurationError extends Error {}

/** Where settings are written; what stands first counts most. */
export interface ConfigurationSource {
  /** By the names of the settings; `undefined` for flags that are not given. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A file, and the JSON in it. */
  readonly file?: { readonly name: string; readonly text: string } | undefined;
}

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** A remark for people, which nothing reads. */
const REMARK = '//';

/**
 * What the service is to run with: what a flag says before what the environment says, before a file.
 *
 * @throws {ConfigurationError} where a setting is unknown or wrong, or two do not go together.
 */
export function readConfiguration({ flags, environment, file }: ConfigurationSource): Configuration {
  const inFile = file === undefined ? {} : readFile(file.name, file.text);
  const entries = NAMES.map((name) => {
    const setting: Setting<unknown> = SETTINGS[name];
    const places = [
      [`--${getSettingKey(name)}`, getOwnValue(flags, name)],
      [getVariableName(name), environment[getVariableName(name)]],
      [`${getSettingKey(name)} in ${file?.name}`, getOwnValue(inFile, getSettingKey(name))],
    ] as const;
    const [place, written] = places.find(([, value]) => value !== undefined && value !== null) ?? [];
    if (place === undefined) return [name, setting.value];
    const value = setting.read(written);
    if (value === undefined) throw new ConfigurationError(`${place} takes ${setting.takes}`);
    return [name, value];
  });
  const configuration = Object.fromEntries(entries) as Configuration;
  for (const [isWrong, reason] of conflicts(configuration)) if (isWrong) throw new ConfigurationError(reason);
  return configuration;
}

function readFile(name: string, text: string): Readonly<Record<string, unknown>> {
  const json = parsed(name, text);
  if (!isJsonObject(json)) throw new ConfigurationError(`${name} must hold a JSON object with settings`);
  const keys = NAMES.map(getSettingKey);
  for (const key of Object.keys(json)) {
    if (keys.includes(key) || key.startsWith(REMARK)) continue;
    const near = suggest(key, keys);
    const help = near === undefined ? `there are ${keys.join(', ')}` : `did you mean ${near}?`;
    throw new ConfigurationError(`${name} has an unknown setting ${key}: ${help}`);
  }
  return json;
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError(`${name} is not JSON`);
  }
}

function conflicts(configuration: Configuration): [boolean, string][] {
  const { host, tlsCert, tlsKey, behindProxy, allowHttp, store, clickhouseUrl, clickhouseCluster, memoryLimit } =
    configuration;
  const toClickHouse = clickhouseUrl !== undefined || clickhouseCluster !== undefined;
  return [
    [(tlsCert === undefined) !== (tlsKey === undefined), 'tls-cert and tls-key go together: give both or neither'],
    [behindProxy && allowHttp, 'behind-proxy and allow-http exclude each other: give one'],
    [
      allowHttp && !isLoopback(host),
      `allow-http is for this machine only, but others reach ${host}: use host 127.0.0.1`,
    ],
    [store === 'clickhouse' && clickhouseUrl === undefined, 'store clickhouse needs clickhouse-url'],
    [store === 'duckdb' && toClickHouse, 'clickhouse-url and clickhouse-cluster need store clickhouse'],
    [store === 'clickhouse' && memoryLimit !== undefined, 'memory-limit is for store duckdb'],
  ];
}
