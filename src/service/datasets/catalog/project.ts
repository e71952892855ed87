import { isJsonObject } from '../../../base/json.ts';
import { isTimeZone } from '../../../lang/operators/time-zone.ts';
import { isKeptSecret, type KeptSecret } from './secrets.ts';

/** A project as stored in its file. Its secret gives full access and is in clear text if requests may be signed. */
export interface Project extends KeptSecret {
  /** Identifies the project in annotations. */
  readonly id: number;
  readonly name: string;
  /** Every record carries it. Clients know it, so it is not a secret. */
  readonly token: string;
  /** The IANA name of the time zone of its days, and of dates in its expressions. */
  readonly timeZone: string;
  /** The project is hidden and its files are being removed. */
  readonly deleted?: true;
}

/** A dataset as stored in its file, with a secret for this dataset only. */
export interface Dataset extends KeptSecret {
  readonly datasetId: string;
  /** The dataset is hidden and its files are being removed. */
  readonly deleted?: true;
}

/** Returns whether `json` is valid content for the file of the project `name`. */
export function isProject(json: unknown, name: string): json is Project {
  if (!isJsonObject(json) || json.name !== name || !Number.isSafeInteger(json.id)) return false;
  const { token, timeZone } = json;
  if (typeof token !== 'string' || token === '' || typeof timeZone !== 'string') return false;
  return checkTimeZone(timeZone) === undefined && isKeptSecret(json);
}

/** Returns whether `json` is valid content for the file of a dataset. */
export function isDataset(json: unknown, datasetId: string): json is Dataset {
  return isJsonObject(json) && json.datasetId === datasetId && isKeptSecret(json);
}

/** Names are also file and folder names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const DATASET_ID = /^[A-Za-z0-9]{1,255}$/;

/** Describes why a project or key cannot have a name; undefined if it can. */
export function checkName(name: string, what: 'project' | 'key' = 'project'): string | undefined {
  if (NAME.test(name)) return undefined;
  return `a ${what} is named by at most 64 letters, digits, \`-\` and \`_\`, the first of them a letter or digit`;
}

/** Describes the problem with a `dataset_id`; undefined if it is valid. */
export function checkDatasetId(datasetId: string): string | undefined {
  return DATASET_ID.test(datasetId) ? undefined : 'a dataset_id is 1 to 255 letters and digits';
}

/** Describes the problem with a time zone; undefined if it is valid. */
export function checkTimeZone(timeZone: string): string | undefined {
  if (isTimeZone(timeZone)) return undefined;
  return `there is no time zone ${JSON.stringify(timeZone)}: it is a name like Europe/Berlin`;
}
