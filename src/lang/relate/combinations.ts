/** Returns the number of ways in which one item of each list can be picked. */
export function countCombinations(lists: readonly (readonly unknown[])[]): number {
  return lists.reduce((product, { length }) => product * length, 1);
}

/** Lists all ways in which one item of each list can be picked. */
export function listCombinations<Item>(lists: readonly (readonly Item[])[]): readonly (readonly Item[])[] {
  return lists.reduce<readonly (readonly Item[])[]>(
    (before, list) => before.flatMap((items) => list.map((item) => [...items, item])),
    [[]],
  );
}
