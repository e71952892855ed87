import { castToNumber, includesString, toFiniteNumber } from '../casts.ts';
import { readRealEvents } from '../events/real-events.ts';
import type { Case } from './case.ts';

/** Filters as people write them, over files of real events. `known` is the result of other tools. */
export const REAL_CASES: readonly Case[] = [
  {
    name: 'retail: refunds without a credit note',
    filter: (dialect) => dialect.and([dialect.compares('Quantity', '<', 0), dialect.lacks('InvoiceNo', 'C')]),
    byHand: (properties) => toFiniteNumber(properties.Quantity) < 0 && !includesString(properties.InvoiceNo, 'C'),
    byHandOwn: (properties) =>
      Object.hasOwn(properties, 'Quantity') &&
      toFiniteNumber(properties.Quantity) < 0 &&
      !(Object.hasOwn(properties, 'InvoiceNo') && includesString(properties.InvoiceNo, 'C')),
    events: () => readRealEvents('online-retail'),
    known: 112,
  },
  {
    name: 'logs: packages of one host',
    filter: (dialect) =>
      dialect.and([
        dialect.equals('host', 'artifacts.opensearch.org'),
        dialect.or([dialect.equals('extension', 'deb'), dialect.equals('extension', 'rpm')]),
      ]),
    byHand: (properties) =>
      properties.host === 'artifacts.opensearch.org' &&
      (properties.extension === 'deb' || properties.extension === 'rpm'),
    byHandOwn: (properties) =>
      Object.hasOwn(properties, 'host') &&
      properties.host === 'artifacts.opensearch.org' &&
      Object.hasOwn(properties, 'extension') &&
      (properties.extension === 'deb' || properties.extension === 'rpm'),
    events: () => readRealEvents('osd-logs'),
    known: 2172,
  },
  {
    name: 'flights: delayed to four countries since a day',
    filter: (dialect) =>
      dialect.and([
        dialect.compares('timestamp', '>=', '2018-01-15T00:00:00'),
        dialect.equals('FlightDelay', true),
        dialect.isOneOf('DestCountry', ['IT', 'US', 'CN', 'GB']),
      ]),
    byHand: ({ timestamp, FlightDelay, DestCountry }) =>
      typeof timestamp === 'string' &&
      timestamp >= '2018-01-15T00:00:00' &&
      FlightDelay === true &&
      (DestCountry === 'IT' || DestCountry === 'US' || DestCountry === 'CN' || DestCountry === 'GB'),
    byHandOwn: (properties) => {
      if (!Object.hasOwn(properties, 'timestamp') || !Object.hasOwn(properties, 'FlightDelay')) return false;
      const { timestamp, FlightDelay } = properties;
      if (typeof timestamp !== 'string' || timestamp < '2018-01-15T00:00:00' || FlightDelay !== true) return false;
      const country = Object.hasOwn(properties, 'DestCountry') ? properties.DestCountry : undefined;
      return country === 'IT' || country === 'US' || country === 'CN' || country === 'GB';
    },
    events: () => readRealEvents('osd-flights'),
  },
  {
    name: 'people: low ids, many of them missing',
    filter: (dialect) => dialect.castCompares('thomas_id', '<', 100),
    byHand: (properties) => castToNumber(properties.thomas_id) < 100,
    byHandOwn: (properties) => Object.hasOwn(properties, 'thomas_id') && castToNumber(properties.thomas_id) < 100,
    events: () => readRealEvents('congress'),
    known: 99,
  },
];
