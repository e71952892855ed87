/** A setting of the service: how people write it, and what it says of itself. */
export interface Setting<Value> {
  /** What stands for its value in the help; nothing for what is only there or not. */
  readonly placeholder?: string;
  readonly description: string;
  /** What it is where nobody says. */
  readonly value?: Value;
  /** What it takes, for people. */
  readonly takes: string;
  /** Its value from a text or from JSON; undefined for what it does not take. */
  readonly read: (written: unknown) => Value | undefined;
}

/** Every setting, by the name that its flag, its environment variable and its key in a file are made of. */
export const SETTINGS = {
  data: text('folder', 'where everything is kept', 'onwhere-data'),
  host: text('host', 'the address to listen on; 0.0.0.0 for every one of this machine', '127.0.0.1'),
  port: {
    placeholder: 'port',
    description: 'the port to listen on; 0 for any that is free',
    value: 8443,
    takes: 'a number up to 65535',
    read: (written: unknown) =>
      /^\d{1,5}$/.test(String(written)) && Number(written) < 65_536 ? Number(written) : undefined,
  },
  tlsCert: text('file', 'a certificate in PEM, instead of one that is made and kept in the data folder'),
  tlsKey: text('file', 'the private key of the certificate'),
  behindProxy: flag('take plain HTTP from a proxy that was asked over HTTPS, as its X-Forwarded-Proto says'),
  allowHttp: flag('take plain HTTP from this machine; only where no other reaches the host'),
  store: {
    placeholder: 'database',
    description: 'what keeps the records: duckdb, embedded, or clickhouse',
    value: 'duckdb',
    takes: 'duckdb or clickhouse',
    read: (written: unknown) => (['duckdb', 'clickhouse'] as const).find((name) => name === written),
  } as Setting<'duckdb' | 'clickhouse'>,
  clickhouseUrl: text('url', 'where ClickHouse is, with user and password: http://user:password@host:8123'),
  clickhouseCluster: text('name', 'the cluster of ClickHouse to lay the tables over'),
  memoryLimit: {
    placeholder: 'size',
    description: 'the most memory that DuckDB takes, such as 4GB; without it, four fifths of what there is',
    takes: 'a size such as 512MB or 4GB',
    read: (written: unknown) => {
      return typeof written === 'string' && /^\d+(?:\.\d+)? *(?:[KMGT]i?B)$/i.test(written) ? written : undefined;
    },
  } as Setting<string>,
  queryTimeLimit: number('seconds', 'how long a query may take, and before that may wait', 60),
  queriesAtOnce: number('number', 'how many queries are answered at once', 2),
  queriesWaiting: number('number', 'how many more of each project may wait; all others are told to come again', 100),
} as const;

export type SettingName = keyof typeof SETTINGS;

type ValueOf<Of> = Of extends Setting<infer Value> ? Value : never;

/** What the service runs with. */
export type Configuration = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> | undefined } & {
  readonly [Name in
    | 'data'
    | 'host'
    | 'port'
    | 'store'
    | 'behindProxy'
    | 'allowHttp'
    | 'queryTimeLimit'
    | 'queriesAtOnce'
    | 'queriesWaiting']: ValueOf<(typeof SETTINGS)[Name]>;
};

/** How a setting is called in flags, without their dashes, and in a file. */
export function getSettingKey(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** How a setting is called in the environment. */
export function getVariableName(name: string): string {
  return `ONWHERE_${getSettingKey(name).replaceAll('-', '_').toUpperCase()}`;
}

/** A file with every setting and what it is where nobody says; remarks say what each is. */
export function createSampleConfiguration(): string {
  const entries = Object.entries(SETTINGS as Record<string, Setting<unknown>>).flatMap(([name, setting]) => [
    [`// ${getSettingKey(name)}`, setting.description],
    [getSettingKey(name), setting.value ?? null],
  ]);
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

function text(placeholder: string, description: string, value: string): Setting<string> & { readonly value: string };
function text(placeholder: string, description: string): Setting<string>;
function text(placeholder: string, description: string, value?: string): Setting<string> {
  const read = (written: unknown) => (typeof written === 'string' && written !== '' ? written : undefined);
  return { placeholder, description, ...(value !== undefined && { value }), takes: 'a text', read };
}

function number(placeholder: string, description: string, value: number): Setting<number> & { readonly value: number } {
  const read = (written: unknown) => {
    return /^[1-9]\d{0,5}$/.test(String(written)) ? Number(written) : undefined;
  };
  return { placeholder, description, value, takes: 'a number from 1 to 999999', read };
}

function flag(description: string): Setting<boolean> {
  const read = (written: unknown) =>
    ['true', 'false'].includes(String(written)) ? String(written) === 'true' : undefined;
  return { description, value: false, takes: 'true or false', read };
}
