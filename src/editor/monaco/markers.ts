import type { Diagnostic } from '../../lang/diagnostic.ts';
import { SETTLING_TIME } from '../calm.ts';
import { describeDiagnostic, findDiagnostics } from '../diagnostics.ts';
import type { OnwhereOptions } from '../onwhere-options.ts';
import type { Disposable, Marker, Model, Monaco } from './monaco.ts';
import { toMonacoRange } from './to-range.ts';

const OWNER = 'onwhere';

/** Converts a diagnostic to a marker. A diagnostic between two characters underlines the one before it. */
export function toMarker(monaco: Monaco, model: Model, found: Diagnostic, page: string | undefined): Marker {
  const { code, severity, span } = found;
  const start = span.start < span.end ? span.start : Math.max(0, span.start - 1);
  return {
    ...toMonacoRange(model, { start, end: span.end }),
    code: page === undefined ? code : { value: code, target: monaco.Uri.parse(new URL(page, document.baseURI).href) },
    severity: severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
    message: describeDiagnostic(found),
    source: OWNER,
  };
}

/** The markers of a model. They follow its changes until they are disposed of. */
export class ModelMarkers implements Disposable {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listener: Disposable;

  constructor(
    private readonly monaco: Monaco,
    private readonly model: Model,
    private readonly optionsOf: (model: Model) => OnwhereOptions,
  ) {
    this.listener = model.onDidChangeContent(() => this.handleChange());
    this.show(this.find());
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listener.dispose();
    this.show([]);
  }

  /** Removes markers as soon as a change has corrected them. New ones come once nothing is typed for a while. */
  private handleChange(): void {
    const shown = this.monaco.editor.getModelMarkers({ owner: OWNER, resource: this.model.uri });
    if (shown.length > 0) {
      const messages = new Set(shown.map(({ message }) => message));
      this.show(this.find().filter(({ message }) => messages.has(message)));
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show(this.find()), SETTLING_TIME);
  }

  private find(): Marker[] {
    const { diagnosticUrl, ...checkOptions } = this.optionsOf(this.model);
    const found = findDiagnostics(this.model.getValue(), checkOptions);
    return found.map((each) => toMarker(this.monaco, this.model, each, diagnosticUrl?.(each.code)));
  }

  private show(markers: Marker[]): void {
    this.monaco.editor.setModelMarkers(this.model, OWNER, markers);
  }
}
