import { castToNumber, hasPart, numberOf } from '../casts.ts';
import { realEvents } from '../events/real-events.ts';
import type { Case } from './case.ts';

/** Filters as people write them over files of real events; `known` is what other tools answer. */
export const REAL_CASES: readonly Case[] = [
  {
    name: 'retail: refunds without a credit note',
    question: (ask) => ask.and([ask.compares('Quantity', '<', 0), ask.lacks('InvoiceNo', 'C')]),
    byHand: (properties) => numberOf(properties.Quantity) < 0 && !hasPart(properties.InvoiceNo, 'C'),
    byHandOwn: (properties) =>
      Object.hasOwn(properties, 'Quantity') &&
      numberOf(properties.Quantity) < 0 &&
      !(Object.hasOwn(properties, 'InvoiceNo') && hasPart(properties.InvoiceNo, 'C')),
    events: () => realEvents('online-retail'),
    known: 112,
  },
  {
    name: 'logs: packages of one host',
    question: (ask) =>
      ask.and([
        ask.equals('host', 'artifacts.opensearch.org'),
        ask.or([ask.equals('extension', 'deb'), ask.equals('extension', 'rpm')]),
      ]),
    byHand: (properties) =>
      properties.host === 'artifacts.opensearch.org' &&
      (properties.extension === 'deb' || properties.extension === 'rpm'),
    byHandOwn: (properties) =>
      Object.hasOwn(properties, 'host') &&
      properties.host === 'artifacts.opensearch.org' &&
      Object.hasOwn(properties, 'extension') &&
      (properties.extension === 'deb' || properties.extension === 'rpm'),
    events: () => realEvents('osd-logs'),
    known: 2172,
  },
  {
    name: 'flights: delayed to four countries since a day',
    question: (ask) =>
      ask.and([
        ask.compares('timestamp', '>=', '2018-01-15T00:00:00'),
        ask.equals('FlightDelay', true),
        ask.isOneOf('DestCountry', ['IT', 'US', 'CN', 'GB']),
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
    events: () => realEvents('osd-flights'),
  },
  {
    name: 'people: low ids, many of them missing',
    question: (ask) => ask.castCompares('thomas_id', '<', 100),
    byHand: (properties) => castToNumber(properties.thomas_id) < 100,
    byHandOwn: (properties) => Object.hasOwn(properties, 'thomas_id') && castToNumber(properties.thomas_id) < 100,
    events: () => realEvents('congress'),
    known: 99,
  },
];
