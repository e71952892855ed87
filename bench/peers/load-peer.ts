/**
 * Imports a package of `bench/package.json`, of which `Module` tells what is used. The name is no literal, so that
 * the project type-checks where the peers are not installed.
 */
export function loadPeer<Module>(name: string): Promise<Module> {
  return import(name);
}
