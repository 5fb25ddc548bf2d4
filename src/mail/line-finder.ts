// Where in a text an offset lies, for a reader.

/** Lines from 1, for offsets that ascend: the source is read once. */
export function createLineFinder(source: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let next = source.indexOf("\n", at); next >= 0 && next < offset; next = source.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    return line;
  };
}
