/** A project as its file holds it. */
export interface Project {
  /** Of annotations. */
  readonly id: number;
  readonly name: string;
  /** What its records carry. Clients have it, so it is no secret. */
  readonly token: string;
  /** Opens all of the project. It is kept as it is, since signatures of requests are made with it. */
  readonly secret: string;
  /** The IANA name of the time zone that its days are in. */
  readonly timeZone: string;
}

/** A dataset as its file holds it. */
export interface Dataset {
  readonly datasetId: string;
  /** Of the secret that opens this dataset only. */
  readonly secretHash: string;
}

/** Names are those of folders too. */
const PROJECT_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const DATASET_ID = /^[A-Za-z0-9]{1,255}$/;

/** What is wrong with the name of a project. */
export function problemOfName(name: string): string | undefined {
  if (PROJECT_NAME.test(name)) return undefined;
  return 'a project is named by at most 64 letters, digits, `-` and `_`, the first of them a letter or digit';
}

/** What is wrong with a `dataset_id`. */
export function problemOfDatasetId(datasetId: string): string | undefined {
  return DATASET_ID.test(datasetId) ? undefined : 'a dataset_id is 1 to 255 letters and digits';
}

/** What is wrong with a time zone. */
export function problemOfTimeZone(timeZone: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return undefined;
  } catch {
    return `there is no time zone ${JSON.stringify(timeZone)}: it is a name like Europe/Berlin`;
  }
}
