import { omitUndefined } from '../../base/objects.ts';
import { type Access, type AccessedProject, assertWhole } from '../access.ts';
import { ANNOTATIONS_SCHEMA, DONE_SCHEMA } from './answer-schemas.ts';
import { apiErrors } from './api-errors.ts';
import { readDates } from './dates.ts';
import { answerJson, declareEndpoint, type Endpoint } from './endpoint.ts';
import { date, dateTime, integer, string } from './kinds.ts';
import { allowParameter, requireParameter } from './parameter.ts';

const DATE = requireParameter(dateTime, 'Date and time of the annotation, in the time zone of the project.');
const DESCRIPTION = requireParameter(string, 'Text of the annotation.');
const ID = requireParameter(integer(), 'ID of the annotation, from `/annotations`.');
const DONE = answerJson({ error: false });

/** @throws {ServiceError} 401 if the access is limited to a part of the project */
function getProjectOf(access: Access): AccessedProject {
  assertWhole(access, 'annotations');
  return access.project;
}

/** The endpoints that read and change annotations. */
export const ANNOTATIONS: readonly Endpoint[] = [
  declareEndpoint({
    path: '/annotations/create',
    schema: DONE_SCHEMA,
    group: 'annotations',
    isWrite: true,
    summary: 'Create an annotation',
    parameters: { date: DATE, description: DESCRIPTION },
    example: { date: '2025-06-12 09:30:00', description: 'Spring sale ends' },
    async handle(annotation, { access, services }) {
      const project = getProjectOf(access);
      await services.annotations.create(project.name, annotation);
      return DONE;
    },
  }),
  declareEndpoint({
    path: '/annotations',
    schema: ANNOTATIONS_SCHEMA,
    group: 'annotations',
    summary: 'List annotations',
    parameters: {
      from_date: allowParameter(date, 'First day. By default, the range has no start.'),
      to_date: allowParameter(date, 'Last day. By default, the range has no end.'),
    },
    example: { from_date: '2025-06-01', to_date: '2025-06-30' },
    async handle({ from_date, to_date }, { access, services }) {
      const project = getProjectOf(access);
      if (from_date !== undefined && to_date !== undefined) readDates({ from_date, to_date });
      const found = await services.annotations.list(project.name, omitUndefined({ from: from_date, to: to_date }));
      const annotations = found.map(({ id, date, description }) => ({
        date,
        project_id: project.id,
        id,
        description,
      }));
      return answerJson({ annotations, error: false });
    },
  }),
  declareEndpoint({
    path: '/annotations/update',
    schema: DONE_SCHEMA,
    group: 'annotations',
    isWrite: true,
    summary: 'Update the date and description of an annotation',
    parameters: { id: ID, date: DATE, description: DESCRIPTION },
    example: { id: '1', date: '2025-06-12 18:00:00', description: 'Summer sale begins' },
    async handle({ id, ...annotation }, { access, services }) {
      const project = getProjectOf(access);
      if (!(await services.annotations.update(project.name, id, annotation)))
        throw apiErrors.invalid('id', 'No annotation has this ID. `/annotations` lists all of them.');
      return DONE;
    },
  }),
  declareEndpoint({
    path: '/annotations/delete',
    schema: DONE_SCHEMA,
    group: 'annotations',
    isWrite: true,
    summary: 'Delete an annotation',
    parameters: { id: ID },
    example: { id: '1' },
    async handle({ id }, { access, services }) {
      const project = getProjectOf(access);
      if (!(await services.annotations.remove(project.name, id)))
        throw apiErrors.invalid('id', 'No annotation has this ID. `/annotations` lists all of them.');
      return DONE;
    },
  }),
];
