import { ServiceError } from './errors.ts';
import type { Project } from './project.ts';

/** The purposes that a secret can have. */
export const ACCESS_SCOPES = ['import', 'query', 'datasets', 'annotations'] as const;

export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** Names for people of the requests that each of them allows. */
const ALLOWED: Readonly<Record<AccessScope, string>> = {
  import: 'imports',
  query: 'queries',
  datasets: 'operations on datasets',
  annotations: 'changes of annotations',
};

/** The part of a project that a secret opens. */
export interface Access {
  readonly project: Project;
  /** The name of the secret in the log: that of a key, or the first digits of the hash. */
  readonly key: string;
  readonly scopes: readonly AccessScope[];
  /** The only dataset that it opens. */
  readonly datasetId?: string;
  /** A filter of the events and people that it shows. */
  readonly where?: string;
  /** Whether the request has a signature instead of the secret. */
  readonly isSigned?: true;
}

/** Returns the access to all of a project. */
export function createFullAccess(project: Project, key: string): Access {
  return { project, key, scopes: ACCESS_SCOPES };
}

/** @throws {ServiceError} for what a secret is not for */
export function assertScope({ scopes, isSigned }: Access, scope: AccessScope): void {
  if (scopes.includes(scope)) return;
  const own = scopes.map((one) => ALLOWED[one]).join(' and ');
  throw new ServiceError(
    401,
    `This ${isSigned ? 'signature' : 'secret'} opens no ${ALLOWED[scope]}: it is for ${own}.`,
  );
}

/** @throws {ServiceError} for a token that is not the project's. */
export function assertToken({ project }: Access, token: string): void {
  if (token !== project.token) {
    throw new ServiceError(
      400,
      "Invalid parameter: token. It is this project's token, as `onwhere project list` shows it.",
    );
  }
}
