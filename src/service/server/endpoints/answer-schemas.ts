/** JSON Schemas of the answers of endpoints, for the OpenAPI document. */
const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const COUNT = { type: 'integer', minimum: 0 };

export const DONE_SCHEMA = record({ error: { type: 'boolean', enum: [false] } });

export const ANNOTATIONS_SCHEMA = record({
  annotations: list(record({ date: TEXT, project_id: COUNT, id: COUNT, description: TEXT })),
  error: { type: 'boolean', enum: [false] },
});

/** Numbers over time: by the names of series, then by the labels of buckets. */
export const SERIES_SCHEMA = record({
  data: record({ series: list(TEXT), values: byName(byName(NUMBER)) }),
  legend_size: COUNT,
});

export const TOTALS_SCHEMA = record({
  results: byName({ type: ['number', 'null'] }),
  status: { type: 'string', enum: ['ok'] },
});

export const TOP_EVENTS_SCHEMA = record({
  events: list(record({ amount: NUMBER, event: TEXT, percent_change: NUMBER })),
  type: TEXT,
});

export const NAMES_SCHEMA = list(TEXT);

export const TOP_PROPERTIES_SCHEMA = byName(record({ count: COUNT }));

const FUNNEL = record({
  steps: list(
    record({
      count: COUNT,
      step_conv_ratio: NUMBER,
      goal: TEXT,
      overall_conv_ratio: NUMBER,
      avg_time: { type: ['number', 'null'] },
      event: TEXT,
    }),
  ),
  analysis: record({ completion: COUNT, starting_amount: COUNT, steps: COUNT, worst: COUNT }),
});

export const FUNNEL_SCHEMA = record({ meta: record({ dates: list(TEXT) }), data: byName(perSegment(FUNNEL)) });

export const FUNNELS_SCHEMA = list(record({ funnel_id: COUNT, name: TEXT }));

export const RETENTION_SCHEMA = byName(perSegment(record({ counts: list(COUNT), first: COUNT })));

export const ADDICTION_SCHEMA = byName(perSegment(list(COUNT)));

export const PEOPLE_SCHEMA = record({
  page: COUNT,
  page_size: COUNT,
  results: list(record({ $distinct_id: TEXT, $properties: { type: 'object', additionalProperties: true } })),
  session_id: TEXT,
  status: { type: 'string', enum: ['ok'] },
  total: COUNT,
});

function record(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
}

function list(items: object): object {
  return { type: 'array', items };
}

function byName(values: object): object {
  return { type: 'object', additionalProperties: values };
}

/** Of all users or, with `on`, of each segment by its name. */
function perSegment(schema: object): object {
  return { anyOf: [schema, byName(schema)] };
}
