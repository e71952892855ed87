import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UNSET } from '../../../../src/service/datasets/versions/version.ts';
import {
  changeState,
  compareByAge,
  createVersionRecord,
  markProcessed,
  toVersion,
  type VersionRecord,
} from '../../../../src/service/datasets/versions/version-record.ts';
import { NOTHING_FLUSHED } from '../../../../src/service/store/store.ts';

const state = fc.record({ readable: fc.boolean(), writable: fc.boolean() });

/** The changes of a version: its state is set, or it is processed (only readable versions are). */
const steps = fc.array(fc.oneof(state, fc.constant('processed' as const)));

function applySteps(history: readonly ('processed' | { readable: boolean; writable: boolean })[]): VersionRecord {
  return history.reduce<VersionRecord>(
    (version, step, index) => {
      const now = new Date(index + 1).toISOString();
      if (step !== 'processed') return changeState(version, step, now);
      return version.readable ? markProcessed(version, NOTHING_FLUSHED, now) : version;
    },
    createVersionRecord('1f', new Date(0).toISOString()),
  );
}

describe('a version', () => {
  it('starts in the state that the API documents', () => {
    expect(toVersion(createVersionRecord('1f', '2026-01-02T03:04:05.678Z'), false)).toEqual({
      version_id: '1f',
      created_at: '2026-01-02T03:04:05.678Z',
      is_live: false,
      state: { ready: false, ready_at: UNSET, readable: false, readable_at: UNSET, writable: true },
    });
  });

  it('is live only while readable and after processing', () => {
    fc.assert(
      fc.property(steps, (history) => {
        const { live, readable, readableAt, readyAt } = applySteps(history);
        if (live) expect([readable, readyAt === UNSET]).toEqual([true, false]);
        if (readable) expect(readableAt).not.toBe(UNSET);
      }),
    );
  });

  it('becomes live when processed and stops when no longer readable', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (history, writable) => {
        const readable = changeState(applySteps(history), { readable: true, writable }, 'now');
        expect(markProcessed(readable, NOTHING_FLUSHED, 'then')).toMatchObject({
          live: true,
          readyAt: 'then',
          writable,
        });
        expect(
          changeState(markProcessed(readable, NOTHING_FLUSHED, 'then'), { readable: false, writable }, 'later').live,
        ).toBe(false);
      }),
    );
  });

  it('keeps `readable_at` while it is readable', () => {
    const readable = changeState(createVersionRecord('1f', 'first'), { readable: true, writable: true }, 'second');
    expect(changeState(readable, { readable: true, writable: false }, 'third').readableAt).toBe('second');
  });

  it('is not ready while data is pending', () => {
    const version = markProcessed(
      changeState(createVersionRecord('1f', 'a'), { readable: true, writable: true }, 'b'),
      NOTHING_FLUSHED,
      'c',
    );
    expect([toVersion(version, true).state.ready, toVersion(version, false).state.ready]).toEqual([false, true]);
    expect(toVersion(version, true).is_live).toBe(true);
  });
});

describe('compareByAge', () => {
  const versions = fc.uniqueArray(fc.record({ createdAt: fc.constantFrom('1', '2', '3'), versionId: fc.string() }), {
    selector: ({ versionId }) => versionId,
  });

  it('sorts oldest first, whatever the initial order', () => {
    fc.assert(
      fc.property(versions, (all) => {
        const ordered = all.toSorted(compareByAge);
        expect(ordered.map(({ createdAt }) => createdAt)).toEqual(all.map(({ createdAt }) => createdAt).toSorted());
        expect(all.toReversed().toSorted(compareByAge)).toEqual(ordered);
      }),
    );
  });
});
