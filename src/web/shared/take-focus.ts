/** Moves the focus of a popover to what it shows late, or instead of what had the focus. A focus elsewhere stays there. */
export function takeFocus(content: HTMLElement, target: HTMLElement | null): void {
  const popover = content.closest<HTMLElement>('[role=dialog]');
  const { activeElement, body } = document;
  if (popover !== null && (activeElement === popover || activeElement === body)) (target ?? popover).focus();
}
