import { ServiceError } from './service-error.ts';

/** The purposes that a secret can have. */
export const PERMISSIONS = ['import', 'query', 'datasets', 'annotations'] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** The requests that each permission allows, as messages name them. */
const PERMISSION_NAMES: Readonly<Record<Permission, string>> = {
  import: 'imports',
  query: 'queries',
  datasets: 'operations on datasets',
  annotations: 'changes of annotations',
};

/** The project of a request. */
export interface AccessedProject {
  /** Identifies the project in annotations. */
  readonly id: number;
  readonly name: string;
  /** Every record carries it. Clients know it, so it is not a secret. */
  readonly token: string;
  /** The IANA name of the time zone of its days, and of dates in its expressions. */
  readonly timeZone: string;
}

/** The access that a secret gives to a project. */
export interface Access {
  readonly project: AccessedProject;
  /** The name of the secret in the log: the name of its key, or the first digits of its hash. */
  readonly key: string;
  readonly permissions: readonly Permission[];
  /** Limits the access to this dataset. */
  readonly datasetId?: string;
  /** Limits the access to the events and people that this filter selects. */
  readonly where?: string;
  /** Whether the request has a signature instead of the secret. */
  readonly isSigned?: true;
}

/** Returns access to all of a project. */
export function createFullAccess(project: AccessedProject, key: string): Access {
  return { project, key, permissions: PERMISSIONS };
}

/** @throws {ServiceError} 401 if the secret lacks the permission */
export function assertPermission({ permissions, isSigned }: Access, permission: Permission): void {
  if (permissions.includes(permission)) return;
  const own = permissions.map((one) => PERMISSION_NAMES[one]).join(' and ');
  throw new ServiceError(
    401,
    `This ${isSigned ? 'signature' : 'secret'} opens no ${PERMISSION_NAMES[permission]}: it is for ${own}.`,
  );
}

/** Returns whether the access is to all data of a project. */
export function isWhole({ datasetId, where }: Pick<Access, 'datasetId' | 'where'>): boolean {
  return datasetId === undefined && where === undefined;
}

/**
 * @param what What belongs to all data of a project, such as `saved filters`.
 * @throws {ServiceError} 401 if the access is limited to a part of them
 */
export function assertWhole(access: Access, what: string): void {
  if (isWhole(access)) return;
  const limit = access.datasetId === undefined ? 'the events of a filter' : 'one dataset';
  throw new ServiceError(401, `This secret is limited to ${limit}, and ${what} are for a whole project.`);
}

/** @throws {ServiceError} 400 if the token is not the project's */
export function assertToken({ project }: Access, token: string): void {
  if (token !== project.token) {
    throw new ServiceError(
      400,
      "Invalid parameter: token. It is this project's token, as `onwhere project list` shows it.",
    );
  }
}
