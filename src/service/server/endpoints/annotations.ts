import { omitUndefined } from '../../../lang/util/objects.ts';
import { ANNOTATIONS_SCHEMA, DONE_SCHEMA } from './answer-schemas.ts';
import { apiErrors } from './api-errors.ts';
import { readDates } from './dates.ts';
import { answerJson, declareEndpoint, type Endpoint } from './endpoint.ts';
import { date, dateTime, integer, text } from './kinds.ts';
import { allowParameter, requireParameter } from './parameter.ts';

const DATE = requireParameter(dateTime, 'When, as clocks of the project show it.');
const DESCRIPTION = requireParameter(text, 'What to say of it.');
const ID = requireParameter(integer(), 'The `id` of the annotation.');
const DONE = answerJson({ error: false });

/** The endpoints of annotations. */
export const ANNOTATIONS: readonly Endpoint[] = [
  declareEndpoint({
    path: '/annotations/create',
    schema: DONE_SCHEMA,
    group: 'annotations',
    isWrite: true,
    summary: 'A new annotation',
    parameters: { date: DATE, description: DESCRIPTION },
    example: { date: '2025-06-12 09:30:00', description: 'Spring sale ends' },
    async answer(annotation, { access: { project }, services }) {
      await services.annotations.create(project.name, annotation);
      return DONE;
    },
  }),
  declareEndpoint({
    path: '/annotations',
    schema: ANNOTATIONS_SCHEMA,
    group: 'annotations',
    summary: 'The annotations of some days',
    parameters: {
      from_date: allowParameter(date, 'The first day; without it, there is no first one.'),
      to_date: allowParameter(date, 'The last day; without it, there is no last one.'),
    },
    example: { from_date: '2025-06-01', to_date: '2025-06-30' },
    async answer({ from_date, to_date }, { access: { project }, services }) {
      if (from_date !== undefined && to_date !== undefined) readDates({ from_date, to_date });
      const found = await services.annotations.list(project.name, omitUndefined({ from: from_date, to: to_date }));
      const annotations = found.map((one) => ({
        date: one.date,
        project_id: project.id,
        id: one.id,
        description: one.description,
      }));
      return answerJson({ annotations, error: false });
    },
  }),
  declareEndpoint({
    path: '/annotations/update',
    schema: DONE_SCHEMA,
    group: 'annotations',
    isWrite: true,
    summary: 'Another date and description for an annotation',
    parameters: { id: ID, date: DATE, description: DESCRIPTION },
    example: { id: '1', date: '2025-06-12 18:00:00', description: 'Summer sale begins' },
    async answer({ id, ...annotation }, { access: { project }, services }) {
      if (!(await services.annotations.update(project.name, id, annotation)))
        throw apiErrors.invalid('id', 'There is no such annotation.');
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
    async answer({ id }, { access: { project }, services }) {
      if (!(await services.annotations.remove(project.name, id)))
        throw apiErrors.invalid('id', 'There is no such annotation.');
      return DONE;
    },
  }),
];
