/**
 * Returns whether to write colours to a stream. `FORCE_COLOR` decides first, as in Node.js; then `NO_COLOR`
 * (https://no-color.org) and `NODE_DISABLE_COLORS`; then `CLICOLOR_FORCE` and `CLICOLOR` (https://bixense.com/clicolors);
 * else a terminal has colours unless it is a dumb one.
 */
export function hasColours(isTTY: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const { FORCE_COLOR, NO_COLOR, NODE_DISABLE_COLORS, CLICOLOR, CLICOLOR_FORCE = '', TERM } = env;
  if (FORCE_COLOR !== undefined) return ['', '1', 'true', '2', '3'].includes(FORCE_COLOR);
  if (NO_COLOR || NODE_DISABLE_COLORS) return false;
  if (CLICOLOR_FORCE !== '' && CLICOLOR_FORCE !== '0') return true;
  return isTTY && TERM !== 'dumb' && CLICOLOR !== '0';
}
