// Tables that take milliseconds to make are made when the first message asks for them, and not while the program starts.

export function whenNeeded<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
