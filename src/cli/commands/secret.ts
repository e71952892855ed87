import { isWhole, type Permission } from '../../queries/access.ts';
import { Catalog } from '../../service/datasets/catalog/catalog.ts';
import { CatalogChanges, type SecretOwner } from '../../service/datasets/catalog/catalog-changes.ts';
import { type KeptSecret, listSecretHashes } from '../../service/datasets/catalog/secrets.ts';
import { UsageError } from '../exit.ts';
import type { Io } from '../io.ts';
import { loadConfiguration } from '../load-configuration.ts';
import { renderTable } from '../terminal/table.ts';
import { type CatalogOptions, warnOfFolder } from './project.ts';

interface SecretOptions extends CatalogOptions {
  /** The name of a project. */
  readonly project: string;
}

interface KeyOptions extends SecretOptions {
  readonly scope: readonly Permission[];
  readonly dataset?: string;
  readonly where?: string;
  /** Milliseconds. */
  readonly expires?: number;
  readonly serviceAccount?: true;
}

interface OwnerOptions extends SecretOptions {
  readonly dataset?: string;
}

interface RotateOptions extends OwnerOptions {
  /** Milliseconds. */
  readonly grace?: number;
  readonly signatures?: boolean;
}

/** Creates a key or a service account and prints its secret or password, which is not shown again. */
export async function createKey(io: Io, name: string, options: KeyOptions): Promise<void> {
  const { json, project, scope, dataset, where, expires, serviceAccount, ...flags } = options;
  const { catalog } = await openCatalog(io, project, flags);
  const key = {
    name,
    scopes: [...new Set(scope)],
    ...(dataset !== undefined && { datasetId: dataset }),
    ...(where !== undefined && { where }),
    ...(expires !== undefined && { expiresAt: new Date(io.now() + expires).toISOString() }),
    ...(serviceAccount && { isServiceAccount: serviceAccount }),
  };
  const { secret } = await catalog.createKey(project, key);
  await printSecret(io, json, { key: name, secret }, serviceAccount);
}

/** Lists the secrets of a project with the first digits of their hashes, which the log shows too. */
export async function listSecrets(io: Io, { json, project, ...flags }: SecretOptions): Promise<void> {
  const { catalog } = await openCatalog(io, project, flags);
  const own = await catalog.project(project);
  const rows = [
    toRow(own, { secret: 'project', scope: own.secret === undefined ? 'all' : 'all, signatures' }),
    ...(await catalog.datasets(project, (error) => warnOfFolder(io, error))).map((dataset) =>
      toRow(dataset, { secret: 'dataset', dataset: dataset.datasetId, scope: 'import, datasets' }),
    ),
    ...(await catalog.keys(project, (error) => warnOfFolder(io, error))).map((key) =>
      toRow(key, {
        secret: `${key.isServiceAccount ? 'service account' : 'key'} ${key.name}`,
        scope: key.scopes.join(', '),
        dataset: key.datasetId,
        where: key.where,
        expires: key.expiresAt,
      }),
    ),
  ];
  if (json) return io.out.print([JSON.stringify(rows)]);
  const names = ['secret', 'hash', 'scope', 'dataset', 'where', 'expires', 'previous'] as const;
  const columns = names.map((title) => ({ title, align: 'left' as const }));
  await io.out.print(
    renderTable(
      columns,
      rows.map((one) => names.map((name) => one[name] ?? '')),
    ),
  );
}

/** Prints what a key or a service account can do and see. */
export async function showKey(io: Io, name: string, { json, project, ...flags }: SecretOptions): Promise<void> {
  const { catalog } = await openCatalog(io, project, flags);
  const key = await catalog.key(project, name);
  const { scopes, datasetId, where, expiresAt = 'never', isServiceAccount } = key;
  const canQuery = scopes.includes('query');
  const records = canQuery ? describeRecords(datasetId, where) : 'none';
  const others = canQuery && isWhole(key) ? 'all' : 'none';
  const shown = { [isServiceAccount ? 'service account' : 'key']: name, scope: scopes.join(', '), expires: expiresAt };
  const sees = {
    events: records,
    people: records,
    datasets: datasetId ?? (canQuery ? 'all' : 'none'),
    annotations: others,
    saved_funnels: others,
    segments: others,
  };
  if (json) return io.out.print([JSON.stringify({ ...shown, sees })]);
  const rows = Object.entries(sees).map(([what, which]) => [`sees ${what.replace('_', ' ')}`, which]);
  const columns = ['', ''].map((title) => ({ title, align: 'left' as const }));
  await io.out.print(renderTable(columns, [...Object.entries(shown), ...rows]).slice(1));
}

function describeRecords(datasetId: string | undefined, where: string | undefined): string {
  const owned = datasetId === undefined ? 'all' : `those of ${datasetId}`;
  return where === undefined ? owned : `${owned} that match ${where}`;
}

/** Replaces a secret and prints the new one. */
export async function rotateSecret(io: Io, key: string | undefined, options: RotateOptions): Promise<void> {
  const { json, project, dataset, grace = 0, signatures, ...flags } = options;
  const { catalog, changes } = await openCatalog(io, project, flags);
  const owner = toOwner(key, dataset);
  const rotation = { graceMs: grace, ...(signatures !== undefined && { signatures }) };
  const secret = await changes.rotate(owner, rotation);
  const { isServiceAccount } = key === undefined ? {} : await catalog.key(project, key);
  await printSecret(io, json, { ...describeOwner(owner), secret }, isServiceAccount);
}

/** Revokes a secret. */
export async function revokeSecret(io: Io, key: string | undefined, options: OwnerOptions): Promise<void> {
  const { json, project, dataset, ...flags } = options;
  const { changes } = await openCatalog(io, project, flags);
  const owner = toOwner(key, dataset);
  await changes.revoke(owner);
  if (json) await io.out.print([JSON.stringify(describeOwner(owner))]);
}

async function openCatalog(io: Io, project: string, flags: Readonly<Record<string, unknown>>) {
  const { data } = await loadConfiguration(io, flags);
  const catalog = new Catalog(data);
  return { catalog, changes: new CatalogChanges(catalog, data, project) };
}

function toOwner(key: string | undefined, dataset: string | undefined): SecretOwner {
  if (key !== undefined && dataset !== undefined) throw new UsageError('Pass either a key or --dataset, not both');
  return { ...(key !== undefined && { key }), ...(dataset !== undefined && { datasetId: dataset }) };
}

function describeOwner({ key, datasetId }: SecretOwner) {
  return { ...(key !== undefined && { key }), ...(datasetId !== undefined && { dataset_id: datasetId }) };
}

interface SecretRow {
  readonly secret: string;
  readonly scope: string;
  readonly dataset?: string | undefined;
  readonly where?: string | undefined;
  readonly expires?: string | undefined;
}

function toRow(kept: KeptSecret, shown: SecretRow): SecretRow & { readonly hash: string; readonly previous?: string } {
  const [current, before] = listSecretHashes({ secretHash: '', ...kept });
  const previous = before && kept.previous && { previous: `${before.hash.slice(0, 8)} until ${kept.previous.until}` };
  return { ...shown, hash: current?.hash.slice(0, 8) || 'revoked', ...previous };
}

async function printSecret(
  io: Io,
  json: true | undefined,
  shown: { readonly key?: string; readonly secret: string },
  isServiceAccount = false,
): Promise<void> {
  const { key, secret } = shown;
  if (json) return io.out.print([JSON.stringify(isServiceAccount ? { key, user_name: key, password: secret } : shown)]);
  await io.out.print([
    ...(isServiceAccount
      ? [`user name  ${key}`, `password   ${secret}`]
      : [`secret  ${secret}   the user name of Basic authentication, with an empty password`]),
    'Save it now. It cannot be shown again.',
  ]);
}
