import type { LogDamage } from '../storage/repair-log-file.ts';
import type { RecordKind } from '../store/store.ts';
import type { LostWorker } from '../store/worker/worker-store.ts';

/** Why a version is removed: a client deleted it, or it is older than the newest five. */
export type RemovalReason = 'deleted' | 'swept';

/** A background event, for logs and metrics. */
export type ServiceEvent =
  | { readonly kind: 'processed'; readonly version: string; readonly milliseconds: number }
  | { readonly kind: 'processing failed'; readonly version: string; readonly error: Error }
  | { readonly kind: 'optimized'; readonly version: string; readonly milliseconds: number }
  | { readonly kind: 'optimization failed'; readonly version: string; readonly error: Error }
  | { readonly kind: 'removed'; readonly version: string; readonly reason: RemovalReason }
  | { readonly kind: 'removal failed'; readonly version: string; readonly error: Error }
  /** `damage` is shown to clients, `details` only to operators. */
  | { readonly kind: 'version damaged'; readonly version: string; readonly damage: string; readonly details: string }
  /** A catalog file that is skipped. */
  | { readonly kind: 'file damaged'; readonly path: string; readonly error: Error }
  | { readonly kind: 'sweep failed'; readonly error: Error }
  | { readonly kind: 'folder removed'; readonly folder: string }
  | { readonly kind: 'folder not removed'; readonly folder: string; readonly error: Error }
  | { readonly kind: 'database process ended'; readonly exit: LostWorker }
  /** This server stands by for the one with the shared data folder, or has taken the folder over. */
  | { readonly kind: 'standing by'; readonly holder: string | undefined }
  | { readonly kind: 'serving' }
  | { readonly kind: 'lease failed'; readonly error: Error }
  /** The saved filters of a project were not matched with an import. */
  | { readonly kind: 'filters not matched'; readonly project: string; readonly error: Error }
  | { readonly kind: 'webhook failed'; readonly id: string; readonly attempts: number; readonly error: Error }
  /** A notice that is not sent, or not sent again. */
  | { readonly kind: 'webhook dropped'; readonly id: string; readonly error: Error }
  | {
      readonly kind: 'log damaged';
      readonly version: string;
      readonly records: RecordKind;
      readonly damage: LogDamage;
    };

/** Receives background events. */
export type ReportEvent = (event: ServiceEvent) => void;
