import { check } from '../../api/expressions.ts';
import type { EventRecord } from '../../data/event-record.ts';
import { createFieldReader, makesProperties } from '../../data/field-mapping.ts';
import { type Job, listSources } from './job.ts';

/** Returns the function that applies the columns and the profiles of a job to records. */
export function createRecordReader(
  { fields, flatten, profiles }: Job,
  withEvent: boolean,
): (record: EventRecord) => EventRecord {
  const read = createFieldReader({ fields, flatten, withEvent });
  if (profiles === undefined) return read;
  return (found) => {
    const record = read(found);
    return { ...record, user: profiles.get(record.distinctId ?? '') };
  };
}

/** Returns whether a job must read whole records: what its expressions name may come from other parts of them. */
export function readsWhole(job: Job): boolean {
  return job.profiles !== undefined || makesProperties(job);
}

/** Returns whether an expression of a job reads a property of the user. */
export function readsUser(job: Job): boolean {
  return listSources(job).some((source) => check(source).properties.some(({ scope }) => scope === 'user'));
}
