// Names of elements and attributes in lower case. The usual ones are the same string each time, by which the many sets and
// maps that are asked for them find them sooner.

const usual = new Map(
  "a align alt bgcolor blockquote body border br cellpadding cellspacing center class color colspan div dir em font h1 h2 h3 h4 h5 h6 head height href hr html i id img lang li link meta name ol p role rowspan s span src strong style sub sup table target tbody td th thead title tr u ul valign width"
    .split(" ")
    .map((name) => [name, name]),
);

export function nameOf(source: string, start: number, end: number): string {
  const written = source.slice(start, end);
  return usual.get(written) ?? written.toLowerCase();
}
