/** The elements that the Tab key reaches. */
const STOPS = ':is(a[href], input, select, textarea, button, summary, onwhere-filter, [tabindex="0"]):not(:disabled)';

/** Moves the focus to a control nearby whenever the one that has it is removed or disabled, from now on. */
export function keepFocus(): void {
  /** The control that has the focus, what it is in, and the stops around it, the nearest first. */
  let path: readonly Element[] = [];
  let nearby: readonly Element[] = [];
  document.addEventListener('focusin', (event) => {
    path = event.composedPath().filter((part) => part instanceof Element);
    const stops = [...document.querySelectorAll(STOPS)];
    const at = stops.findIndex((stop) => path.includes(stop));
    nearby = [...stops.slice(at + 1), ...stops.slice(0, Math.max(0, at)).reverse()];
  });
  // A click beside all controls takes the focus from them.
  document.addEventListener('pointerdown', () => {
    path = [];
  });
  const observer = new MutationObserver(() => {
    const [focused] = path;
    const { activeElement: current, body } = document;
    const isLost = focused !== undefined && (!focused.isConnected || focused.matches(':disabled'));
    if (!isLost || (current !== body && current !== focused)) return;
    const next = path
      .filter((part) => part !== focused && part.isConnected)
      .map((place) => nearby.find((stop) => place.contains(stop) && stop.matches(STOPS)) ?? place.querySelector(STOPS))
      .find((stop) => stop !== null);
    if (next instanceof HTMLElement) next.focus();
  });
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}
