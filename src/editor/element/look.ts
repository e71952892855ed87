let sheet: CSSStyleSheet | undefined;

/** Returns the styles of the element, which its custom properties change. */
export function getSheet(): CSSStyleSheet {
  sheet ??= new CSSStyleSheet();
  if (sheet.cssRules.length === 0) sheet.replaceSync(STYLES);
  return sheet;
}

const STYLES = `
:host([hidden]) { display: none; }
:host {
  display: block;
  --text: var(--onwhere-text, light-dark(#1c2128, #e6e9ee));
  --muted: var(--onwhere-muted, light-dark(#57606a, #9aa6b2));
  --field: var(--onwhere-field, light-dark(#f5f6f8, #0e1216));
  --line: var(--onwhere-line, light-dark(#d5dae1, #313a45));
  --accent: var(--onwhere-accent, light-dark(#0b5cad, #7ab7ff));
  --on-accent: var(--onwhere-on-accent, light-dark(#ffffff, #0e1216));
  --error: var(--onwhere-error, light-dark(#b42318, #ff9a90));
  --warning: var(--onwhere-warning, light-dark(#8a4b00, #f0b866));
  --mono: var(--onwhere-mono, ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace);
  color: var(--text);
  font-size: 0.87rem;
  line-height: 1.5;
}
[hidden] { display: none !important; }
*, *::before, *::after { box-sizing: border-box; }
p, ul { margin: 0; padding: 0; list-style: none; }
code, textarea, .cm-editor .cm-scroller { font-family: var(--mono); font-size: 0.95em; }
textarea, input, select, button { font-size: inherit; color: inherit; }
.text, input, select, button { background: var(--field); border: 1px solid var(--line); border-radius: 6px; }
input, select, button { font-family: inherit; min-height: 1.9rem; padding: 0.15rem 0.5rem; }
.label { width: fit-content; margin-bottom: 0.2rem; font-weight: 600; cursor: default; }
.text:focus-within { outline: 2px solid var(--accent); outline-offset: -1px; }
textarea { display: block; width: 100%; padding: 0.5rem; background: none; border: 0; outline: 0; resize: vertical; }
button { cursor: pointer; }
:host(:disabled) .text, button:disabled, input:disabled, select:disabled { opacity: 0.6; cursor: default; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.cm-editor.cm-focused { outline: 0; }
.cm-editor .cm-scroller { max-height: 14rem; line-height: 1.55; }
.cm-editor .cm-content { padding: 0.5rem 0.2rem; caret-color: var(--text); }
.cm-editor .cm-cursor { border-left-color: var(--text); }
.cm-editor .cm-placeholder { color: var(--muted); }
.facts { margin-top: 0.35rem; color: var(--muted); font-size: 0.96em; overflow-wrap: anywhere; }
.diagnostics li {
  margin-top: 0.4rem;
  padding: 0.4rem 0.6rem;
  border-left: 3px solid var(--severity);
  border-radius: 3px;
  background: color-mix(in srgb, var(--severity) 8%, transparent);
  overflow-wrap: anywhere;
}
.diagnostics .error { --severity: var(--error); }
.diagnostics .warning { --severity: var(--warning); }
.diagnostics strong { color: var(--severity); }
.place, .toggle, .format, .add, .remove { background: none; border: 0; color: var(--muted); }
.place { min-height: 0; padding: 0; text-decoration: underline; }
.place + .fix { margin-left: 0.5rem; }
.fix { margin-top: 0.3rem; color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.tools { display: flex; justify-content: space-between; }
.toggle { padding-left: 0; }
.format { margin-left: auto; }
.toggle::before { content: ""; display: inline-block; margin-right: 0.4em; border: 0.28em solid transparent; border-left-color: currentColor; }
.toggle[aria-expanded="true"]::before { rotate: 90deg; translate: -0.1em 0.15em; }
.toggle:hover, .format:hover, .add:hover, .remove:hover { color: var(--text); }
.rows { container-type: inline-size; }
.rows > .group { border-left: 0; padding-left: 0; }
.group { padding-left: 0.6rem; border-left: 2px solid var(--line); }
.group, .group ul { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.35rem; }
.joint { display: flex; justify-content: space-between; }
.condition { display: grid; align-items: center; gap: 0.25rem; grid-template-columns: auto minmax(0, 1fr) auto auto minmax(0, 1fr) auto; }
.condition > code { grid-column: 1 / -2; padding: 0.25rem 0.5rem; background: var(--field); border: 1px dashed var(--line); border-radius: 6px; overflow-wrap: anywhere; }
.condition select, .condition input { width: 100%; min-width: 0; }
@container (width < 40rem) {
  .condition { grid-template-columns: auto minmax(0, 1fr) minmax(0, 1fr) auto 1.9rem; }
  .condition > :nth-child(n + 2):not(.remove) { grid-column: span 2; }
}
.condition .remove, .joint .remove { min-width: 1.9rem; padding: 0; font-size: 1.1em; }
.condition .remove { justify-self: end; }
.adds { display: flex; gap: 0.25rem; }
.add { padding-left: 0; color: var(--accent); }
`;
