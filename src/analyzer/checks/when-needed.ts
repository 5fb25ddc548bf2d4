// Builds slow tables on first use instead of at startup.

export function whenNeeded<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
