import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfiguration } from '../src/service/server/settings/read-configuration.ts';
import { getVariableName, SETTINGS } from '../src/service/server/settings/settings.ts';

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: readonly string[];
  readonly hostname?: string;
}

const FOLDER = new URL('../deploy/cluster/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, FOLDER), 'utf8');

const compose: { readonly services: Record<string, Service>; readonly volumes: Record<string, null> } = parse(
  read('compose.yaml'),
  { merge: true },
);
const names = (pattern: RegExp) => Object.keys(compose.services).filter((name) => pattern.test(name));
const servers = names(/^onwhere-/);
const replicas = names(/^clickhouse-/);
const keepers = names(/^keeper-/);
const cluster = read('clickhouse/cluster.xml');
const keeper = read('clickhouse/keeper.xml');
const caddy = read('Caddyfile');

const find = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found);

describe('the Compose file of a cluster', () => {
  it('has three shards of two replicas, three Keepers and two servers, with pinned images', () => {
    const places = replicas.map((name) => compose.services[name]?.environment).map((one) => [one?.SHARD, one?.REPLICA]);
    expect(places.map(([shard, replica]) => `clickhouse-${shard}-${replica}`)).toEqual(replicas);
    expect([replicas.length, keepers.length, servers.length]).toEqual([6, 3, 2]);
    for (const { image, build } of Object.values(compose.services))
      if (build === undefined) expect(image).toMatch(/:\d+\.\d+/);
  });

  it('mounts files that exist and volumes that it declares', () => {
    for (const { volumes } of Object.values(compose.services)) {
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('./')) expect(existsSync(new URL(source, FOLDER))).toBe(true);
        else expect(compose.volumes).toHaveProperty(source);
      }
    }
    const data = servers.map((name) => compose.services[name]?.volumes);
    expect(data).toEqual([['data:/data'], ['data:/data']]);
    expect(compose.services['onwhere-1']?.build).toMatchObject({ dockerfile: 'deploy/Dockerfile' });
  });

  it('gives the servers a configuration that onwhere accepts', () => {
    const variables = Object.keys(SETTINGS).map(getVariableName);
    for (const name of servers) {
      const { environment = {}, hostname, depends_on: needed = [] } = compose.services[name] ?? {};
      expect(Object.keys(environment).filter((variable) => !variables.includes(variable))).toEqual([]);
      expect(readConfiguration({ flags: {}, environment })).toMatchObject({ sharedData: true, behindProxy: true });
      expect(hostname).toBe(name);
      for (const one of needed) expect(compose.services).toHaveProperty(one);
    }
  });

  it('takes every secret from the environment, and the example names them all', () => {
    const used = new Set(find(read('compose.yaml'), /\$\{(\w+)/g));
    const named = find(read('example.env'), /^(\w+)=/gm);
    expect([...used].sort()).toEqual([...named].sort());
  });
});

describe('the configuration of ClickHouse', () => {
  it('names the replicas and Keepers of the Compose file, and what it sets', () => {
    expect(find(cluster, /<replica><host>([\w-]+)<\/host>/g)).toEqual(replicas);
    expect(find(cluster, /<node><host>([\w-]+)<\/host>/g)).toEqual(keepers);
    expect(find(keeper, /<hostname>([\w-]+)<\/hostname>/g)).toEqual(keepers);
    expect(cluster.match(/<internal_replication>true</g)).toHaveLength(3);
    const given = [compose.services['clickhouse-1-1'], compose.services['keeper-1']].map(
      (one) => one?.environment ?? {},
    );
    for (const [index, text] of [cluster, keeper].entries())
      for (const name of find(text, /from_env="(\w+)"/g)) expect(given[index]).toHaveProperty(name as string);
  });

  it('has the same ports, cluster and user everywhere', () => {
    expect(find(cluster, /<node>.*<port>(\d+)</g)).toEqual(keepers.map(() => find(keeper, /<tcp_port>(\d+)</g)[0]));
    const { ONWHERE_CLICKHOUSE_CLUSTER: name = '', ONWHERE_CLICKHOUSE_URL: url = '' } =
      compose.services['onwhere-1']?.environment ?? {};
    expect(cluster).toMatch(new RegExp(`<remote_servers>\\s*<${name}>`));
    const { username, hostname, port, pathname } = new URL(url.replace(/\$\{\w+\}/, 'password'));
    const { CLICKHOUSE_USER, CLICKHOUSE_DB } = compose.services['clickhouse-1-1']?.environment ?? {};
    expect([username, pathname.slice(1)]).toEqual([CLICKHOUSE_USER, CLICKHOUSE_DB]);
    expect(compose.services).toHaveProperty(hostname);
    expect(caddy).toContain(`http://:${port} {`);
    expect(compose.services.proxy?.ports).toContain(`127.0.0.1:${port}:${port}`);
  });
});

it('the proxy sends requests to the servers and statements to the replicas, each with a health check', () => {
  const [clients = [], statements = []] = find(caddy, /reverse_proxy ([^{]+) \{/g).map(
    (list) => list?.split(' ') ?? [],
  );
  const port = compose.services['onwhere-1']?.environment.ONWHERE_PORT;
  expect(clients).toEqual(servers.map((name) => `${name}:${port}`));
  expect(statements).toEqual(replicas.map((name) => `${name}:8123`));
  expect(find(caddy, /health_uri (\S+)/g)).toEqual(['/healthz', '/ping']);
});

it('the guide uses only files, services and options that exist', () => {
  const text = read('README.md');
  for (const path of find(text, /(?:^|\s)(deploy\/cluster\/[\w.]+)/gm))
    if (!path?.endsWith('.env') || path.endsWith('example.env'))
      expect(existsSync(new URL(`../../${path}`, FOLDER))).toBe(true);
  for (const name of find(text, /\$COMPOSE \w+ ([\w-]+)/g)) expect(compose.services).toHaveProperty(name as string);
  const script = readFileSync(new URL('../../scripts/cluster-check.ts', FOLDER), 'utf8');
  const options = find(text.slice(text.indexOf('npm run cluster-check')), /(--[a-z-]+) /g);
  for (const option of options.slice(0, 7)) expect(script).toContain(`${option} <`);
  expect(readdirSync(FOLDER).sort()).toEqual(['Caddyfile', 'README.md', 'clickhouse', 'compose.yaml', 'example.env']);
});
