// Names of elements and attributes in lower case. The usual ones are found where they stand, without a copy, and are the same
// string each time, by which the many sets and maps that are asked for them find them sooner.

const usual =
  "a align alt bgcolor blockquote body border br cellpadding cellspacing center class color colspan div dir em font h1 h2 h3 h4 h5 h6 head height href hr html i id img lang li link meta name ol p role rowspan s span src strong style sub sup table target tbody td th thead title tr u ul valign width".split(
    " ",
  );

const places = 4_096;
/** By a sum of their characters; no two have the same. */
const bySum: string[] = new Array(places).fill("");
for (const name of usual) bySum[sumOf(name, 0, name.length)] = name;

export function nameOf(source: string, start: number, end: number): string {
  const name = bySum[sumOf(source, start, end)] ?? "";
  if (name.length === end - start && source.startsWith(name, start)) return name;
  return source.slice(start, end).toLowerCase();
}

function sumOf(source: string, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at++) sum = (sum * 31 + source.charCodeAt(at)) % places;
  return sum;
}
