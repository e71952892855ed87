/** JSON Schemas of the response bodies of endpoints, for the OpenAPI document. */
const STRING = { type: 'string' };
const NUMBER = { type: 'number' };
const COUNT = { type: 'integer', minimum: 0 };

export const DONE_SCHEMA = objectOf({ error: { type: 'boolean', enum: [false] } });

export const ANNOTATIONS_SCHEMA = objectOf({
  annotations: arrayOf(objectOf({ date: STRING, project_id: COUNT, id: COUNT, description: STRING })),
  error: { type: 'boolean', enum: [false] },
});

/** A time series: values by series name, then by bucket label. */
export const SERIES_SCHEMA = objectOf({
  data: objectOf({ series: arrayOf(STRING), values: mapOf(mapOf(NUMBER)) }),
  legend_size: COUNT,
});

/** A line of raw events. */
export const EVENT_SCHEMA = objectOf({ event: STRING, properties: { type: 'object' } });

export const TOTALS_SCHEMA = objectOf({
  results: mapOf({ type: ['number', 'null'] }),
  status: { type: 'string', enum: ['ok'] },
});

export const TOP_EVENTS_SCHEMA = objectOf({
  events: arrayOf(objectOf({ amount: NUMBER, event: STRING, percent_change: NUMBER })),
  type: STRING,
});

export const NAMES_SCHEMA = arrayOf(STRING);

export const TOP_PROPERTIES_SCHEMA = mapOf(objectOf({ count: COUNT }));

export const OVERVIEW_SCHEMA = objectOf({
  from_date: { type: ['string', 'null'] },
  to_date: { type: ['string', 'null'] },
  unit: STRING,
  series: arrayOf(STRING),
  events: arrayOf(objectOf({ event: STRING, count: COUNT, values: arrayOf(COUNT) })),
});

export const PROJECT_SCHEMA = objectOf({ name: STRING, time_zone: STRING });

export const DATASETS_SCHEMA = arrayOf(
  objectOf({
    dataset_id: STRING,
    versions: arrayOf(objectOf({ version_id: STRING, created_at: STRING, is_live: { type: 'boolean' } })),
  }),
);

export const NAME_COUNTS_SCHEMA = arrayOf(objectOf({ name: STRING, count: COUNT }));

export const VALUE_COUNTS_SCHEMA = arrayOf(objectOf({ value: STRING, type: STRING, count: COUNT }));

const FUNNEL = objectOf({
  steps: arrayOf(
    objectOf({
      count: COUNT,
      step_conv_ratio: NUMBER,
      goal: STRING,
      overall_conv_ratio: NUMBER,
      avg_time: { type: ['number', 'null'] },
      event: STRING,
    }),
  ),
  analysis: objectOf({ completion: COUNT, starting_amount: COUNT, steps: COUNT, worst: COUNT }),
});

export const FUNNEL_SCHEMA = objectOf({ meta: objectOf({ dates: arrayOf(STRING) }), data: mapOf(perSegment(FUNNEL)) });

export const FUNNELS_SCHEMA = arrayOf(objectOf({ funnel_id: COUNT, name: STRING }));

export const RETENTION_SCHEMA = mapOf(perSegment(objectOf({ counts: arrayOf(COUNT), first: COUNT })));

export const ADDICTION_SCHEMA = mapOf(perSegment(arrayOf(COUNT)));

export const PEOPLE_SCHEMA = objectOf({
  page: COUNT,
  page_size: COUNT,
  results: arrayOf(objectOf({ $distinct_id: STRING, $properties: { type: 'object', additionalProperties: true } })),
  session_id: STRING,
  status: { type: 'string', enum: ['ok'] },
  total: COUNT,
});

function objectOf(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
}

function arrayOf(items: object): object {
  return { type: 'array', items };
}

function mapOf(values: object): object {
  return { type: 'object', additionalProperties: values };
}

/** Allows one value for all users or, with `on`, one per segment name. */
function perSegment(schema: object): object {
  return { anyOf: [schema, mapOf(schema)] };
}
