/**
 * Imports a package of `bench/package.json`; `Module` is its type. The name is a parameter, not a literal, so that the
 * project type-checks without the peers.
 */
export function loadPeer<Module>(name: string): Promise<Module> {
  return import(name);
}
