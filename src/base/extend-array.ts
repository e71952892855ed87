/** Returns a longer copy of a typed array. The new elements are 0. */
export function extendArray<Elements extends Float64Array | Uint32Array>(elements: Elements, length: number): Elements {
  const longer = elements instanceof Float64Array ? new Float64Array(length) : new Uint32Array(length);
  longer.set(elements);
  return longer as Elements;
}
