import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  type ConfigurationSource,
  readConfiguration,
} from '../../../../src/service/server/settings/read-configuration.ts';
import { getSettingKey, getVariableName, SETTINGS } from '../../../../src/service/server/settings/settings.ts';

const DEFAULTS = {
  data: 'onwhere-data',
  host: '127.0.0.1',
  port: 8443,
  behindProxy: false,
  allowHttp: false,
  openMetrics: false,
  store: 'duckdb',
  sharedData: false,
  queryTimeLimit: 60,
  queriesAtOnce: 2,
  queriesWaiting: 100,
};

const SECRET = `whsec_${'ab01'.repeat(10)}`;

function read({ flags = {}, environment = {}, file }: Partial<ConfigurationSource>) {
  return readConfiguration({ flags, environment, file });
}

function createFile(settings: object): Partial<ConfigurationSource> {
  return { file: { name: 'on.json', text: JSON.stringify(settings) } };
}

describe('settings', () => {
  it('have defaults', () => {
    expect(read({})).toEqual(DEFAULTS);
  });

  it('have their defaults in the sample file, which lists all of them', () => {
    const text = readFileSync(new URL('../../../../deploy/onwhere.json', import.meta.url), 'utf8');
    expect(read({ file: { name: 'on.json', text } })).toEqual(DEFAULTS);
    expect(Object.keys(JSON.parse(text))).toEqual(
      Object.keys(SETTINGS).flatMap((name) => [`// ${getSettingKey(name)}`, getSettingKey(name)]),
    );
  });

  it('are taken from flags first, then from the environment, then from the file', () => {
    const file = createFile({ port: 1, data: 'c', host: '::1' });
    const environment = { ONWHERE_PORT: '2', ONWHERE_DATA: 'b' };
    expect(read({ ...file, environment, flags: { port: '3' } })).toMatchObject({ port: 3, data: 'b', host: '::1' });
  });

  it.each(Object.keys(SETTINGS))('can be set by a flag, an environment variable or a file: %s', (name) => {
    const samples: Record<string, string> = {
      port: '1',
      queryTimeLimit: '1',
      queriesAtOnce: '1',
      queriesWaiting: '1',
      behindProxy: 'true',
      allowHttp: 'true',
      openMetrics: 'true',
      sharedData: 'true',
      store: 'clickhouse',
      memoryLimit: '4GB',
      webhook: 'https://example.com/hook',
      webhookSecret: SECRET,
    };
    const value = samples[name] ?? 'x';
    const expected = value === '1' ? 1 : value === 'true' ? true : value;
    const required: Record<string, Record<string, string>> = {
      tlsCert: { tlsKey: 'k' },
      tlsKey: { tlsCert: 'c' },
      store: { clickhouseUrl: 'u' },
      clickhouseUrl: { store: 'clickhouse' },
      sharedData: { store: 'clickhouse', clickhouseUrl: 'u' },
      webhook: { webhookSecret: SECRET },
      clickhouseCluster: { store: 'clickhouse', clickhouseUrl: 'u' },
    };
    const flags = required[name] ?? {};
    const sources = [
      { flags: { ...flags, [name]: value } },
      { flags, environment: { [getVariableName(name)]: value } },
      { flags, ...createFile({ [getSettingKey(name)]: value }) },
    ];
    for (const way of sources) expect(read(way)).toMatchObject({ [name]: expected });
  });

  it.each([
    [{ flags: { port: '65536' } }, '--port takes a number up to 65535'],
    [{ environment: { ONWHERE_PORT: '' } }, 'ONWHERE_PORT takes a number up to 65535'],
    [{ environment: { ONWHERE_ALLOW_HTTP: 'yes' } }, 'ONWHERE_ALLOW_HTTP takes true or false'],
    [createFile({ port: -1 }), 'port in on.json takes a number up to 65535'],
    [createFile({ store: 'mysql' }), 'store in on.json takes duckdb or clickhouse'],
    [createFile({ 'memory-limit': 4 }), 'memory-limit in on.json takes a size such as 512MB or 4GB'],
    [{ flags: { queriesAtOnce: '0' } }, '--queries-at-once takes a number from 1 to 999999'],
    [createFile({ prot: 1 }), 'on.json has an unknown setting prot: did you mean port?'],
    [createFile({ __proto__: 1, tlsCert: 'x' }), 'on.json has an unknown setting tlsCert: did you mean tls-cert?'],
    [createFile([]), 'on.json must hold a JSON object with settings'],
    [{ file: { name: 'on.json', text: '{' } }, 'on.json is not JSON'],
    [{ flags: { tlsCert: 'c' } }, 'tls-cert and tls-key go together: give both or neither'],
    [{ flags: { behindProxy: true, allowHttp: true } }, 'behind-proxy and allow-http cannot be used together'],
    [
      { flags: { allowHttp: true, host: '0.0.0.0' } },
      'allow-http requires a loopback host, not 0.0.0.0: use host 127.0.0.1',
    ],
    [{ flags: { webhook: 'https://example.com' } }, 'webhook needs webhook-secret, which signs its requests'],
    ...['example.com', 'https://user@example.com', 'https://:secret@example.com'].map((webhook) => [
      { flags: { webhook } },
      '--webhook takes an http or https URL without a user name and a password',
    ]),
    [
      { flags: { webhookSecret: 'whsec_c2hvcnQ=' } },
      '--webhook-secret takes whsec_ and the base64 of 24 to 64 random bytes',
    ],
    [{ flags: { store: 'clickhouse' } }, 'store clickhouse needs clickhouse-url'],
    [{ flags: { sharedData: true } }, 'shared-data needs store clickhouse, because only one server can open DuckDB'],
    [{ flags: { clickhouseUrl: 'u' } }, 'clickhouse-url and clickhouse-cluster need store clickhouse'],
  ] as [Partial<ConfigurationSource>, string][])(
    'are rejected with a message that names the source: %j',
    (source, message) => {
      expect(() => read(source)).toThrow(new ConfigurationError(message));
    },
  );

  it.each(['127.0.0.1', '127.9.9.9', '::1', 'localhost'])('allow plain HTTP on %s', (host) => {
    expect(read({ flags: { allowHttp: true, host } }).allowHttp).toBe(true);
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', 'example.org', '127.0.0.1.example.org'])('refuse plain HTTP on %s', (host) => {
    expect(() => read({ flags: { allowHttp: true, host } })).toThrow(/allow-http requires a loopback host/);
  });
});
