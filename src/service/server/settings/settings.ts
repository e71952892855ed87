/** A setting of the service. */
export interface Setting<Value> {
  /** The name of the value in `--help`; undefined for flags without a value. */
  readonly placeholder?: string;
  readonly description: string;
  readonly defaultValue?: Value;
  /** Completes "takes …" in error messages. */
  readonly takes: string;
  /** Parses a string or a JSON value. Returns undefined if it is invalid. */
  readonly read: (given: unknown) => Value | undefined;
}

/** Every setting, by name. Flags, environment variables and keys in files derive from the name. */
export const SETTINGS = {
  data: string('folder', 'the folder with all data', 'onwhere-data'),
  host: string('host', 'the address to listen on; 0.0.0.0 for all addresses of this machine', '127.0.0.1'),
  port: {
    placeholder: 'port',
    description: 'the port to listen on; 0 for any free port',
    defaultValue: 8443,
    takes: 'a number up to 65535',
    read: (given: unknown) => (/^\d{1,5}$/.test(String(given)) && Number(given) < 65_536 ? Number(given) : undefined),
  },
  tlsCert: string('file', 'the TLS certificate in PEM; without it, a self-signed one in the data folder'),
  tlsKey: string('file', 'the private key of the TLS certificate, in PEM'),
  behindProxy: flag('accept plain HTTP from a proxy that sends X-Forwarded-Proto: https'),
  allowHttp: flag('accept plain HTTP from this machine; requires a loopback host'),
  metricsSecret: string(
    'secret',
    'the user name of Basic authentication for /metrics with the names of projects and keys',
  ),
  openMetrics: flag(
    'show /metrics without these names to everyone; by default, only a loopback host without a proxy does',
  ),
  store: {
    placeholder: 'database',
    description: 'the database: duckdb, which is embedded, or clickhouse',
    defaultValue: 'duckdb',
    takes: 'duckdb or clickhouse',
    read: (given: unknown) => (['duckdb', 'clickhouse'] as const).find((name) => name === given),
  } as Setting<'duckdb' | 'clickhouse'>,
  clickhouseUrl: string('url', 'the URL of ClickHouse, such as http://user:password@host:8123'),
  clickhouseCluster: string('name', 'the ClickHouse cluster that has the tables'),
  sharedData: flag('share the data folder with other servers: one serves, the others stand by; requires clickhouse'),
  memoryLimit: {
    placeholder: 'size',
    description: 'the maximum memory of DuckDB, such as 4GB; without it, 80% of the memory of the machine',
    takes: 'a size such as 512MB or 4GB',
    read: (given: unknown) => {
      return typeof given === 'string' && /^\d+(?:\.\d+)? *(?:[KMGT]i?B)$/i.test(given) ? given : undefined;
    },
  } as Setting<string>,
  queryTimeLimit: number('seconds', 'the time limit of a query in the queue, and again while it runs', 60),
  queriesAtOnce: number('number', 'the maximum number of queries that run at once', 2),
  queriesWaiting: number('number', 'the maximum number of queued queries per project; more are refused with 503', 100),
  webhook: {
    placeholder: 'url',
    description: 'the URL that receives the saved filters that imports match',
    // `fetch` refuses credentials in a URL, so no request would be sent.
    takes: 'an http or https URL without a user name and a password',
    read: (given: unknown) => {
      if (typeof given !== 'string' || !URL.canParse(given)) return undefined;
      const { protocol, username, password } = new URL(given);
      return ['http:', 'https:'].includes(protocol) && username + password === '' ? given : undefined;
    },
  } as Setting<string>,
  webhookSecret: {
    placeholder: 'secret',
    description: 'the key that signs requests to the webhook: whsec_ and the base64 of 24 to 64 bytes',
    takes: 'whsec_ and the base64 of 24 to 64 random bytes',
    read: (given: unknown) => {
      if (typeof given !== 'string' || !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(given)) return undefined;
      const { length } = decodeWebhookSecret(given);
      return length >= 24 && length <= 64 ? given : undefined;
    },
  } as Setting<string>,
} as const;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<Of> = Of extends Setting<infer Value> ? Value : never;

/** The settings that a service runs with. */
export type Configuration = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> | undefined } & {
  readonly [Name in
    | 'data'
    | 'host'
    | 'port'
    | 'store'
    | 'behindProxy'
    | 'allowHttp'
    | 'openMetrics'
    | 'sharedData'
    | 'queryTimeLimit'
    | 'queriesAtOnce'
    | 'queriesWaiting']: ValueOf<(typeof SETTINGS)[Name]>;
};

/** Returns the bytes of a secret in the form of Standard Webhooks. */
export function decodeWebhookSecret(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}

/** Returns the name of a setting in files and, with `--`, as a flag: `tls-cert` for `tlsCert`. */
export function getSettingKey(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the environment variable of a setting: `ONWHERE_TLS_CERT` for `tlsCert`. */
export function getVariableName(name: string): string {
  return `ONWHERE_${getSettingKey(name).replaceAll('-', '_').toUpperCase()}`;
}

/** Creates a configuration file with every setting, its default, and its description as a comment. */
export function createSampleConfiguration(): string {
  const entries = Object.entries(SETTINGS as Record<string, Setting<unknown>>).flatMap(([name, setting]) => [
    [`// ${getSettingKey(name)}`, setting.description],
    [getSettingKey(name), setting.defaultValue ?? null],
  ]);
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

function string(
  placeholder: string,
  description: string,
  defaultValue: string,
): Setting<string> & { readonly defaultValue: string };
function string(placeholder: string, description: string): Setting<string>;
function string(placeholder: string, description: string, defaultValue?: string): Setting<string> {
  const read = (given: unknown) => (typeof given === 'string' && given !== '' ? given : undefined);
  return {
    placeholder,
    description,
    ...(defaultValue !== undefined && { defaultValue }),
    takes: 'a non-empty string',
    read,
  };
}

function number(
  placeholder: string,
  description: string,
  defaultValue: number,
): Setting<number> & { readonly defaultValue: number } {
  const read = (given: unknown) => {
    return /^[1-9]\d{0,5}$/.test(String(given)) ? Number(given) : undefined;
  };
  return { placeholder, description, defaultValue, takes: 'a number from 1 to 999999', read };
}

function flag(description: string): Setting<boolean> {
  const read = (given: unknown) => (['true', 'false'].includes(String(given)) ? String(given) === 'true' : undefined);
  return { description, defaultValue: false, takes: 'true or false', read };
}
