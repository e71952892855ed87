import type { OriginName } from '../../src/data/origins.ts';

/** Records as the tools write them, and some of the properties that each has. */
export const ORIGIN_SAMPLES: Readonly<
  Record<OriginName, readonly { readonly record: Readonly<Record<string, unknown>>; readonly expected: object }[]>
> = {
  segment: [
    {
      record: {
        anonymousId: '507f191e810c19729de860ea',
        channel: 'browser',
        context: { ip: '203.0.113.7', library: { name: 'analytics.js', version: '2.11.1' }, active: true },
        event: 'Order Completed',
        integrations: {},
        messageId: 'ajs-f8ca1e4de5024d9430b3928bd8ac6b96',
        originalTimestamp: '2025-06-01T10:00:00.100Z',
        properties: {
          revenue: 40.5,
          currency: 'EUR',
          products: [
            { sku: 'A-1', price: 30 },
            { sku: 'B-2', price: 10.5 },
          ],
        },
        timestamp: '2025-06-01T10:00:00.000Z',
        type: 'track',
        userId: 'u11',
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10) / 1000,
        distinctId: 'u11',
        event: 'Order Completed',
        properties: {
          userId: 'u11',
          revenue: 40.5,
          'context.ip': '203.0.113.7',
          'context.library.name': 'analytics.js',
          'products.sku': ['A-1', 'B-2'],
          'products.price': [30, 10.5],
        },
      },
    },
    {
      record: {
        anonymousId: '23adfd82-aa0f-45a7-a756-24f2a7a4c895',
        messageId: 'm2',
        name: 'Home',
        originalTimestamp: '2025-06-01T10:01:00.000Z',
        properties: { path: '/', title: 'Home' },
        type: 'page',
        userId: null,
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10, 1) / 1000,
        distinctId: '23adfd82-aa0f-45a7-a756-24f2a7a4c895',
        event: 'page',
        properties: { name: 'Home', path: '/' },
      },
    },
    {
      record: { traits: { plan: 'pro' }, timestamp: '2025-06-01T10:02:00Z', type: 'identify', userId: 'u11' },
      expected: { distinctId: 'u11', event: 'identify', properties: { 'traits.plan': 'pro' } },
    },
  ],
  posthog: [
    {
      record: {
        uuid: '01890f6e-8a5c-0000-2c4f-5a1e2f3b4c5d',
        event: '$pageview',
        properties: '{"$current_url": "https://example.com/", "$set": {"email": "a@example.com"}}',
        timestamp: '2025-06-01T10:00:00.000000+00:00',
        team_id: 1,
        distinct_id: 'u1',
        elements_chain: '',
        created_at: '2025-06-01T10:00:01.000000+00:00',
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10) / 1000,
        distinctId: 'u1',
        event: '$pageview',
        properties: { $current_url: 'https://example.com/', '$set.email': 'a@example.com', team_id: 1 },
      },
    },
  ],
  ga4: [
    {
      record: {
        event_date: '20250601',
        event_timestamp: '1748772000000123',
        event_name: 'page_view',
        event_params: [
          { key: 'ga_session_id', value: { int_value: '1748771990' } },
          { key: 'page_location', value: { string_value: 'https://example.com/' } },
          { key: 'engaged', value: { string_value: null, int_value: '1', float_value: null, double_value: null } },
        ],
        user_pseudo_id: '1234.5678',
        user_properties: [{ key: 'plan', value: { string_value: 'pro', set_timestamp_micros: '1748772000000000' } }],
        device: { category: 'mobile', web_info: { browser: 'Chrome' } },
        items: [],
      },
      expected: {
        time: 1_748_772_000,
        distinctId: '1234.5678',
        event: 'page_view',
        properties: {
          'event_params.ga_session_id': 1_748_771_990,
          'event_params.page_location': 'https://example.com/',
          'event_params.engaged': 1,
          'user_properties.plan.string_value': 'pro',
          'device.web_info.browser': 'Chrome',
          items: [],
        },
      },
    },
  ],
  amplitude: [
    {
      record: {
        event_type: 'Play Song',
        event_time: '2025-06-01 10:00:00.123000',
        user_id: null,
        device_id: 'C8F9E604-F01A-4BD9-95C6-8E5357DF265D',
        event_properties: { song: 'A', length: 180 },
        user_properties: { plan: 'pro' },
        groups: {},
        amplitude_id: 12345,
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10) / 1000,
        distinctId: 'C8F9E604-F01A-4BD9-95C6-8E5357DF265D',
        event: 'Play Song',
        properties: { 'event_properties.song': 'A', 'user_properties.plan': 'pro' },
      },
    },
  ],
  cloudtrail: [
    {
      record: {
        eventVersion: '1.08',
        userIdentity: { type: 'IAMUser', principalId: 'EXAMPLE', userName: 'alice' },
        eventTime: '2025-06-01T10:00:00Z',
        eventSource: 'ec2.amazonaws.com',
        eventName: 'StartInstances',
        awsRegion: 'us-east-2',
        requestParameters: { instancesSet: { items: [{ instanceId: 'i-1' }, { instanceId: 'i-2' }] } },
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10) / 1000,
        distinctId: 'alice',
        event: 'StartInstances',
        properties: { awsRegion: 'us-east-2', 'requestParameters.instancesSet.items.instanceId': ['i-1', 'i-2'] },
      },
    },
  ],
  har: [
    {
      record: {
        startedDateTime: '2025-06-01T10:00:00.123Z',
        time: 84.2,
        request: {
          method: 'GET',
          url: 'https://example.com/a?b=1',
          httpVersion: 'http/2.0',
          headers: [
            { name: 'accept', value: '*/*' },
            { name: 'cookie', value: 'a=1' },
            { name: 'cookie', value: 'b=2' },
          ],
          queryString: [{ name: 'b', value: '1' }],
          cookies: [],
          headersSize: -1,
          bodySize: 0,
        },
        response: { status: 200, statusText: '', content: { size: 512, mimeType: 'text/html' }, headers: [] },
        cache: {},
        timings: { send: 1, wait: 80, receive: 3.2 },
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10) / 1000,
        distinctId: undefined,
        event: 'GET',
        properties: {
          'request.url': 'https://example.com/a?b=1',
          'request.headers.accept': '*/*',
          'request.headers.cookie': ['a=1', 'b=2'],
          'request.queryString.b': '1',
          'response.status': 200,
          'response.content.mimeType': 'text/html',
          'timings.wait': 80,
        },
      },
    },
  ],
  matomo: [
    {
      record: {
        idSite: 1,
        idVisit: 4021,
        visitorId: '9a1c5b7d3e2f4a60',
        userId: null,
        visitorType: 'returning',
        serverTimestamp: 1_748_772_000,
        firstActionTimestamp: 1_748_771_940,
        country: 'Germany',
        customDimensions: [],
        actionDetails: [
          { type: 'action', url: 'https://example.com/', timestamp: 1_748_771_940, timeSpent: 60 },
          { type: 'event', eventCategory: 'video', eventAction: 'play', timestamp: 1_748_772_000 },
        ],
      },
      expected: {
        time: 1_748_772_000,
        distinctId: '9a1c5b7d3e2f4a60',
        event: undefined,
        properties: {
          visitorType: 'returning',
          'actionDetails.type': ['action', 'event'],
          'actionDetails.eventAction': ['play'],
        },
      },
    },
    {
      // As a row of its CSV.
      record: {
        idVisit: 4022,
        visitorId: '9a1c5b7d3e2f4a60',
        actionDetails_0_type: 'action',
        actionDetails_0_timestamp: 1_748_771_940,
        serverDate: '2025-06-01',
        lastActionDateTime: '2025-06-01 10:00:00',
        serverTimestamp: 1_748_772_000,
        firstActionTimestamp: 1_748_771_940,
      },
      expected: { time: 1_748_772_000, distinctId: '9a1c5b7d3e2f4a60', properties: { actionDetails_0_type: 'action' } },
    },
  ],
  otelLogs: [
    {
      record: {
        timeUnixNano: '1748772000000000123',
        observedTimeUnixNano: '1748772000500000000',
        severityNumber: 9,
        severityText: 'INFO',
        body: { stringValue: 'order placed' },
        attributes: [
          { key: 'user.id', value: { stringValue: 'u1' } },
          { key: 'order.items', value: { intValue: '3' } },
        ],
        traceId: '5b8efff798038103d269b633813fc60c',
        spanId: 'eee19b7ec3c1b174',
      },
      expected: {
        time: 1_748_772_000,
        distinctId: 'u1',
        event: 'INFO',
        properties: { 'body.stringValue': 'order placed', 'attributes.order.items': 3, severityNumber: 9 },
      },
    },
    {
      record: {
        observedTimeUnixNano: '1748772001000000000',
        eventName: 'session.start',
        attributes: [{ key: 'session.id', value: { stringValue: 's1' } }],
      },
      expected: { time: 1_748_772_001, distinctId: 's1', event: 'session.start' },
    },
  ],
  otelSpans: [
    {
      record: {
        traceId: '5b8efff798038103d269b633813fc60c',
        spanId: 'eee19b7ec3c1b174',
        parentSpanId: 'eee19b7ec3c1b173',
        name: 'GET /cart',
        kind: 2,
        startTimeUnixNano: '1748772000000000000',
        endTimeUnixNano: '1748772000250000000',
        attributes: [
          { key: 'http.response.status_code', value: { intValue: '200' } },
          { key: 'enduser.id', value: { stringValue: 'u2' } },
        ],
        status: {},
      },
      expected: {
        time: 1_748_772_000,
        distinctId: 'u2',
        event: 'GET /cart',
        properties: { 'attributes.http.response.status_code': 200, kind: 2 },
      },
    },
  ],
  snowplow: [
    {
      // As the reader of the enriched events returns it, with the JSON of its cells.
      record: {
        app_id: 'shop',
        collector_tstamp: '2025-06-01 10:00:00.123',
        derived_tstamp: '2025-06-01 09:59:58.001',
        event: 'unstruct',
        event_id: 'c6ef3124-b53a-4b13-a233-0088f79dcbcb',
        v_collector: 'ssc-2.9.0-kinesis',
        domain_userid: '3b1b0c7e-0f9f-4d58-8a3c-1f0f5e6d7c8b',
        contexts: {
          schema: 'iglu:com.snowplowanalytics.snowplow/contexts/jsonschema/1-0-0',
          data: [{ schema: 'iglu:com.snowplowanalytics.snowplow/web_page/jsonschema/1-0-0', data: { id: 'p1' } }],
        },
        unstruct_event: {
          schema: 'iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0',
          data: {
            schema: 'iglu:com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1',
            data: { targetUrl: 'https://example.com/' },
          },
        },
        event_name: 'link_click',
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 9, 59, 58) / 1000,
        distinctId: '3b1b0c7e-0f9f-4d58-8a3c-1f0f5e6d7c8b',
        event: 'link_click',
        properties: {
          event: 'unstruct',
          'unstruct_event.data.data.targetUrl': 'https://example.com/',
          'contexts.data.schema': ['iglu:com.snowplowanalytics.snowplow/web_page/jsonschema/1-0-0'],
        },
      },
    },
    {
      record: {
        collector_tstamp: '2025-06-01 10:00:00.123',
        event: 'page_view',
        event_id: '0a9c7b4e-6f5d-4a3b-9c2d-1e0f9a8b7c6d',
        v_collector: 'ssc-2.9.0-kinesis',
        user_id: 'u11',
        domain_userid: '3b1b0c7e-0f9f-4d58-8a3c-1f0f5e6d7c8b',
      },
      expected: { time: Date.UTC(2025, 5, 1, 10) / 1000, distinctId: 'u11', event: 'page_view' },
    },
  ],
  elastic: [
    {
      record: {
        '@timestamp': '2025-06-01T10:00:00.000Z',
        '@metadata': {},
        ecs: { version: '8.0.0' },
        event: { kind: 'event', action: 'login', outcome: 'failure' },
        user: { id: 'u1', name: 'ann' },
        source: { ip: '203.0.113.7' },
        http: { response: { status_code: 401 } },
        message: 'login failed',
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10) / 1000,
        distinctId: 'u1',
        event: 'login',
        properties: { 'event.outcome': 'failure', 'http.response.status_code': 401, message: 'login failed' },
      },
    },
    {
      // Libraries for logs write the names with dots.
      record: {
        '@timestamp': '2025-06-01T10:00:01.000Z',
        'ecs.version': '1.2.0',
        'log.level': 'WARN',
        'source.ip': '203.0.113.8',
        message: 'slow',
      },
      expected: { distinctId: '203.0.113.8', event: 'WARN', properties: { message: 'slow' } },
    },
  ],
  elasticsearch: [
    {
      record: {
        _index: 'orders',
        _id: 'h1',
        _score: 1,
        _source: { '@timestamp': '2025-06-01T10:00:00.000Z', user: { id: 'u1' }, event: { action: 'buy' }, amount: 5 },
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10) / 1000,
        distinctId: 'u1',
        event: 'buy',
        properties: { _index: 'orders', amount: 5, 'user.id': 'u1' },
      },
    },
  ],
  debezium: [
    {
      record: {
        before: { id: 1, status: 'new' },
        after: { id: 1, status: 'paid', amount: 12.5 },
        source: { version: '2.7.0.Final', connector: 'postgresql', ts_ms: 1_748_772_000_000, table: 'orders' },
        transaction: null,
        op: 'u',
        ts_ms: 1_748_772_000_300,
      },
      expected: {
        time: 1_748_772_000,
        distinctId: undefined,
        event: 'u',
        properties: { 'before.status': 'new', 'after.status': 'paid', 'after.amount': 12.5, 'source.table': 'orders' },
      },
    },
  ],
  debeziumWithSchema: [
    {
      record: {
        schema: { type: 'struct', fields: [{ type: 'string', optional: false, field: 'op' }], name: 'shop.Envelope' },
        payload: {
          before: null,
          after: { id: 1, status: 'new' },
          source: { connector: 'mysql', ts_ms: 1_748_772_000_000, table: 'orders' },
          op: 'c',
          ts_ms: 1_748_772_000_300,
        },
      },
      expected: {
        time: 1_748_772_000,
        distinctId: undefined,
        event: 'c',
        properties: { 'after.status': 'new', 'source.table': 'orders', 'schema.name': 'shop.Envelope' },
      },
    },
  ],
  datadog: [
    {
      record: {
        id: 'AgAAAYd59gjghzF52gAAAAAAAAAYAAAAAEFZ',
        type: 'log',
        attributes: {
          service: 'shop',
          status: 'error',
          timestamp: '2025-06-01T10:00:00.000Z',
          tags: ['env:prod'],
          attributes: { usr: { id: 'u1' }, http: { status_code: 500 } },
        },
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10) / 1000,
        distinctId: 'u1',
        event: 'error',
        properties: { service: 'shop', 'attributes.http.status_code': 500, tags: ['env:prod'] },
      },
    },
  ],
  cloudflare: [
    {
      record: {
        ClientIP: '203.0.113.7',
        ClientRequestHost: 'example.com',
        ClientRequestMethod: 'GET',
        ClientRequestURI: '/a?b=1',
        EdgeEndTimestamp: '2025-06-01T10:00:01Z',
        EdgeResponseStatus: 503,
        EdgeStartTimestamp: '2025-06-01T10:00:00Z',
        RayID: '3a6050bcbe121a87',
        Cookies: {},
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10) / 1000,
        distinctId: '203.0.113.7',
        event: 'GET',
        properties: { EdgeResponseStatus: 503 },
      },
    },
  ],
  kubernetes: [
    {
      record: {
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        auditID: 'c6ef3124-b53a-4b13-a233-0088f79dcbcb',
        stage: 'ResponseComplete',
        verb: 'delete',
        user: { username: 'ann', groups: ['system:authenticated'] },
        objectRef: { resource: 'pods' },
        responseStatus: { code: 403 },
        requestReceivedTimestamp: '2025-06-01T10:00:00.123456Z',
        stageTimestamp: '2025-06-01T10:00:00.130000Z',
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10) / 1000,
        distinctId: 'ann',
        event: 'delete',
        properties: { 'responseStatus.code': 403, 'objectRef.resource': 'pods' },
      },
    },
  ],
  github: [
    {
      record: {
        id: '40000000000',
        type: 'PushEvent',
        actor: { id: 500, login: 'ann', display_login: 'ann' },
        repo: { id: 9, name: 'acme/app' },
        payload: { ref: 'refs/heads/main', commits: [{ sha: 'a1', author: { name: 'Ann' } }] },
        public: true,
        created_at: '2025-06-01T10:00:00Z',
      },
      expected: {
        time: Date.UTC(2025, 5, 1, 10) / 1000,
        distinctId: 'ann',
        event: 'PushEvent',
        properties: { 'repo.name': 'acme/app', 'payload.commits.sha': ['a1'] },
      },
    },
  ],
  stripe: [
    {
      record: {
        id: 'evt_1',
        object: 'event',
        created: 1_748_772_000,
        data: { object: { id: 'ch_1', object: 'charge', amount: 1000, customer: 'cus_1', metadata: { plan: 'pro' } } },
        livemode: true,
        type: 'charge.succeeded',
      },
      expected: {
        time: 1_748_772_000,
        distinctId: 'cus_1',
        event: 'charge.succeeded',
        properties: { 'data.object.amount': 1000, 'data.object.metadata.plan': 'pro' },
      },
    },
  ],
};
