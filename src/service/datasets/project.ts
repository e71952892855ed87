import { isJsonObject } from '../../lang/util/json.ts';
import { isKeptSecret, type KeptSecret } from './secrets.ts';

/** A project as its file holds it. Its secret opens all of it, and is in clear where requests are signed with it. */
export interface Project extends KeptSecret {
  /** Of annotations. */
  readonly id: number;
  readonly name: string;
  /** What its records carry. Clients have it, so it is no secret. */
  readonly token: string;
  /** The IANA name of the time zone that its days are in. */
  readonly timeZone: string;
  /** It is gone for everyone, and what is left of it is being removed. */
  readonly deleted?: true;
}

/** A dataset as its file holds it, with the secret that opens this dataset only. */
export interface Dataset extends KeptSecret {
  readonly datasetId: string;
  /** As of a project. */
  readonly deleted?: true;
}

/** Whether JSON is what the file of a project of this name holds. */
export function isProject(json: unknown, name: string): json is Project {
  if (!isJsonObject(json) || json.name !== name || !Number.isSafeInteger(json.id)) return false;
  const { token, timeZone } = json;
  if (typeof token !== 'string' || token === '' || typeof timeZone !== 'string') return false;
  return checkTimeZone(timeZone) === undefined && isKeptSecret(json);
}

/** Whether JSON is what the file of a dataset of this id holds. */
export function isDataset(json: unknown, datasetId: string): json is Dataset {
  return isJsonObject(json) && json.datasetId === datasetId && isKeptSecret(json);
}

/** Names are those of folders and files too. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const DATASET_ID = /^[A-Za-z0-9]{1,255}$/;

/** Returns why a project or a key cannot have this name; undefined if it can. */
export function checkName(name: string, what: 'project' | 'key' = 'project'): string | undefined {
  if (NAME.test(name)) return undefined;
  return `a ${what} is named by at most 64 letters, digits, \`-\` and \`_\`, the first of them a letter or digit`;
}

/** What is wrong with a `dataset_id`. */
export function checkDatasetId(datasetId: string): string | undefined {
  return DATASET_ID.test(datasetId) ? undefined : 'a dataset_id is 1 to 255 letters and digits';
}

/** What is wrong with a time zone. */
export function checkTimeZone(timeZone: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return undefined;
  } catch {
    return `there is no time zone ${JSON.stringify(timeZone)}: it is a name like Europe/Berlin`;
  }
}
