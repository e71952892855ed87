import type { Properties } from '../lang/value.ts';
import { parseCell } from './csv-table.ts';
import { describeRepeatedName } from './problems.ts';
import { tryParseJson } from './try-parse-json.ts';

/** Reads a line of a log. Returns undefined for a line without a record, and a string for a line that is broken. */
export type ReadLogLine = (line: string) => Properties | string | undefined;

/** A format in which servers write lines without a header row. */
export interface LogFormat {
  /** As people know it. */
  readonly title: string;
  /** Returns whether the first line of a file has the format. */
  readonly isOf: (firstLine: string) => boolean;
  /** Creates the reader of a file. */
  readonly createReader: () => ReadLogLine;
}

/** Matches a quoted field, in which quotes are escaped. */
const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';

/** Matches the common log format, with the referrer and the user agent of the combined one. */
const ACCESS_LINE = new RegExp(
  `^(\\S+) (\\S+) (\\S+) \\[(\\d{2})/(\\w{3})/(\\d{4}):(\\d\\d:\\d\\d:\\d\\d) ([+-]\\d\\d)(\\d\\d)\\] ${QUOTED} (\\d{3}) (\\d+|-)(?: ${QUOTED} ${QUOTED})?`,
);

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The names that nginx gives the fields of an access log. */
function readAccessLine(line: string): Properties | string {
  const found = ACCESS_LINE.exec(line);
  if (found === null) return 'not a line of an access log';
  const [, host, , user, day, month = '', year, time, hours, minutes, request = '', status, bytes, referer, agent] =
    found;
  const [method, uri, protocol] = request.split(' ');
  return dropMissing({
    remote_addr: host,
    remote_user: user,
    time_local: `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day}T${time}${hours}:${minutes}`,
    request,
    request_method: method,
    request_uri: uri,
    server_protocol: protocol,
    status: Number(status),
    body_bytes_sent: bytes === '-' ? undefined : Number(bytes),
    http_referer: referer,
    http_user_agent: agent,
  });
}

/** Reads the lines after a directive `#Fields`, which names them. Fields with spaces have `+` or quotes. */
function createW3cReader(): ReadLogLine {
  let names: readonly string[] | undefined;
  return (line) => {
    const fields = /^#Fields:\s*(.*)$/.exec(line)?.[1];
    if (fields !== undefined) {
      const found = fields.trim().split(/\s+/);
      const flaw = describeRepeatedName(found, 'fields');
      names = flaw === undefined ? found : undefined;
      if (flaw !== undefined) return `the line #Fields ${flaw}`;
    }
    if (line.startsWith('#')) return undefined;
    if (names === undefined) return 'a line without a line #Fields before it that names its fields';
    const cells = line.includes('\t') ? line.split('\t') : (line.match(/"(?:[^"]|"")*"|\S+/g) ?? []);
    if (cells.length !== names.length) return `${cells.length} fields instead of ${names.length}`;
    const values = Object.fromEntries(names.map((name, at) => [name, readCell(unquote(cells[at] ?? ''))]));
    const { date, time } = values;
    // Times are in UTC.
    return dropMissing(date && time ? { datetime: `${date}T${time}Z`, ...values } : values);
  };
}

function unquote(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

function readCell(cell: string): unknown {
  return cell === '-' || cell === '' ? undefined : parseCell(cell);
}

/** Removes the fields that are written as `-`. */
function dropMissing(fields: Properties): Properties {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '-'));
}

/** The columns of enriched events of Snowplow, in order. */
const SNOWPLOW_COLUMNS =
  `app_id platform etl_tstamp collector_tstamp dvce_created_tstamp event event_id txn_id name_tracker v_tracker
  v_collector v_etl user_id user_ipaddress user_fingerprint domain_userid domain_sessionidx network_userid geo_country
  geo_region geo_city geo_zipcode geo_latitude geo_longitude geo_region_name ip_isp ip_organization ip_domain
  ip_netspeed page_url page_title page_referrer page_urlscheme page_urlhost page_urlport page_urlpath page_urlquery
  page_urlfragment refr_urlscheme refr_urlhost refr_urlport refr_urlpath refr_urlquery refr_urlfragment refr_medium
  refr_source refr_term mkt_medium mkt_source mkt_term mkt_content mkt_campaign contexts se_category se_action se_label
  se_property se_value unstruct_event tr_orderid tr_affiliation tr_total tr_tax tr_shipping tr_city tr_state tr_country
  ti_orderid ti_sku ti_name ti_category ti_price ti_quantity pp_xoffset_min pp_xoffset_max pp_yoffset_min pp_yoffset_max
  useragent br_name br_family br_version br_type br_renderengine br_lang br_features_pdf br_features_flash
  br_features_java br_features_director br_features_quicktime br_features_realplayer br_features_windowsmedia
  br_features_gears br_features_silverlight br_cookies br_colordepth br_viewwidth br_viewheight os_name os_family
  os_manufacturer os_timezone dvce_type dvce_ismobile dvce_screenwidth dvce_screenheight doc_charset doc_width
  doc_height tr_currency tr_total_base tr_tax_base tr_shipping_base ti_currency ti_price_base base_currency geo_timezone
  mkt_clickid mkt_network etl_tags dvce_sent_tstamp refr_domain_userid refr_device_tstamp derived_contexts
  domain_sessionid derived_tstamp event_vendor event_name event_format event_version event_fingerprint true_tstamp`
    .trim()
    .split(/\s+/);

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The columns with JSON. */
const SNOWPLOW_JSON: ReadonlySet<string | undefined> = new Set(['contexts', 'unstruct_event', 'derived_contexts']);

/** JSON in cells is not in quotes, so that such a file is no CSV. */
function readSnowplowLine(line: string): Properties | string {
  const cells = line.split('\t');
  if (cells.length !== SNOWPLOW_COLUMNS.length) return `${cells.length} columns instead of ${SNOWPLOW_COLUMNS.length}`;
  const entries = cells.map((cell, at) => {
    const name = SNOWPLOW_COLUMNS[at];
    const json = SNOWPLOW_JSON.has(name) ? tryParseJson(cell) : undefined;
    return [name, cell === '' ? undefined : (json ?? parseCell(cell))];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The formats of logs. A row is all that a format needs. */
export const LOG_FORMATS: readonly LogFormat[] = [
  {
    title: 'an access log of Apache or nginx',
    isOf: (line) => ACCESS_LINE.test(line),
    createReader: () => readAccessLine,
  },
  {
    title: 'a log in the W3C extended format',
    isOf: (line) => /^#(?:Version|Software|Date|Fields):/.test(line),
    createReader: createW3cReader,
  },
  {
    title: 'enriched events of Snowplow',
    isOf: (line) => {
      const cells = line.split('\t');
      return cells.length === SNOWPLOW_COLUMNS.length && UUID.test(cells[6] ?? '');
    },
    createReader: () => readSnowplowLine,
  },
];

/** Returns the format of a log by its first line; undefined for other files. */
export function findLogFormat(start: string): LogFormat | undefined {
  const [line = ''] = start.trimStart().split(/\r?\n/, 1);
  return LOG_FORMATS.find(({ isOf }) => isOf(line));
}
