/**
 * Imports a package of `test/package.json`; `Module` is its type. The name is a parameter, not a literal, so that the
 * project type-checks without the package.
 */
export function loadPeer<Module>(name: string): Promise<Module> {
  return import(name);
}
