import { type Access, PERMISSIONS, type Permission } from '../../../src/queries/access.ts';
import type { Catalog } from '../../../src/service/datasets/catalog/catalog.ts';
import { checkKeyFilter } from '../../../src/service/datasets/catalog/key.ts';
import type { Project } from '../../../src/service/datasets/catalog/project.ts';
import type { Operation } from './operation.ts';

/** The permissions and the dataset of a key. */
type Part = Pick<Access, 'permissions' | 'datasetId'>;

/** The keys of a project. Filtered keys also get a filter. */
const KEYS = {
  'dataset secret': { permissions: ['import', 'datasets'], datasetId: 'first' },
  'import key': { permissions: ['import'] },
  'query key': { permissions: ['query'] },
  'annotations key': { permissions: ['annotations'] },
  'dataset key': { permissions: ['query', 'annotations', 'import'], datasetId: 'first' },
  'filtered key': { permissions: ['query'] },
  'other filtered key': { permissions: ['query', 'datasets'] },
  'filtered dataset key': { permissions: ['query'], datasetId: 'first' },
} as const satisfies Record<string, Part>;

/** Credentials without access. */
const USELESS = [
  'none',
  'wrong secret',
  'token',
  'password',
  'garbled',
  'expired key',
  'wrong signature',
  'expired signature',
  'half a signature',
] as const;

type KeyName = keyof typeof KEYS;

export type Credentials = 'secret' | 'signature' | KeyName | (typeof USELESS)[number];

export const KEY_NAMES = Object.keys(KEYS) as readonly KeyName[];
export const USELESS_CREDENTIALS: readonly Credentials[] = USELESS;

const SAVED_FILTERS_PATH = '/segments';

/** The secrets of a project's keys, and the access of each. */
export interface ProjectKeys {
  readonly secrets: ReadonlyMap<Credentials, string>;
  readonly accesses: ReadonlyMap<Credentials, Access>;
}

/** Creates the keys of a project in addition to its secrets. Takes their filters from the expressions. */
export async function createKeys(
  catalog: Catalog,
  project: Project,
  { secret, datasetSecret }: { readonly secret: string; readonly datasetSecret: string },
  expressions: readonly string[],
): Promise<ProjectKeys> {
  const secrets = new Map<Credentials, string>([
    ['secret', secret],
    ['dataset secret', datasetSecret],
  ]);
  const accesses = new Map<Credentials, Access>([
    ['secret', { project, key: 'reference', permissions: PERMISSIONS }],
    ['signature', { project, key: 'reference', permissions: ['query'], isSigned: true }],
  ]);
  const filters = expressions.filter((expression) => checkKeyFilter(expression, ['query']) === undefined);
  for (const [index, name] of KEY_NAMES.entries()) {
    const part: Part = KEYS[name];
    const where = name.includes('filtered') ? filters[index % filters.length] : undefined;
    const opens = { ...part, ...(where !== undefined && { where }) };
    accesses.set(name, { project, key: 'reference', ...opens });
    if (name === 'dataset secret') continue;
    const { permissions: scopes, ...limits } = opens;
    const key = { name: name.replaceAll(' ', '-'), scopes, ...limits };
    secrets.set(name, (await catalog.createKey(project.name, key)).secret);
  }
  const expired = { name: 'expired-key', scopes: PERMISSIONS, expiresAt: '2020-01-01T00:00:00.000Z' };
  secrets.set('expired key', (await catalog.createKey(project.name, expired)).secret);
  return { secrets, accesses };
}

/** Returns whether credentials give access to an operation, on a dataset if the request names one. */
export function canOpen(credentials: Credentials, operation: Operation, datasetId: string | undefined): boolean {
  if (operation.isOpen || credentials === 'secret') return true;
  const part: Part | undefined =
    credentials === 'signature'
      ? { permissions: ['query'] }
      : (KEYS as Partial<Record<Credentials, Part>>)[credentials];
  if (part === undefined || !part.permissions.includes(getPermission(operation))) return false;
  // Saved filters count the events of the whole project.
  if (operation.path === SAVED_FILTERS_PATH && (part.datasetId !== undefined || credentials.includes('filtered')))
    return false;
  // Annotations and funnels belong to the project, even if a request names a dataset.
  const isOfDataset = !/\/(annotations|funnels\/list)/.test(operation.path);
  return !isOfDataset || datasetId === undefined || part.datasetId === undefined || part.datasetId === datasetId;
}

function getPermission(operation: Operation): Permission {
  if (operation.isQueryRequest) return isWrite(operation) ? 'annotations' : 'query';
  if (operation.path === SAVED_FILTERS_PATH && operation.methods.includes('GET')) return 'query';
  return operation.path.startsWith('/import') ? 'import' : 'datasets';
}

/** Returns whether an operation changes data that other responses depend on. */
export function isWrite({ path, isQueryRequest }: Operation): boolean {
  return isQueryRequest && /\/(create|update|delete)$/.test(path);
}
