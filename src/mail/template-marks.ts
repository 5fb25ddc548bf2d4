// Marks of templates that were not filled in: `{{first_name}}`, `*|FNAME|*`, `%%name%%`, `<%= name %>`, `{% if %}`,
// `${name}`, `[[name]]`. What could be ordinary text between the marks is asked to look like a name.

const marks = new RegExp(
  [
    String.raw`\{\{[^{}\n]{1,80}\}\}`,
    String.raw`\*\|[^|\n]{1,60}\|\*`,
    String.raw`%%[A-Za-z_]\w{0,60}%%`,
    String.raw`<%[^%\n]{0,80}%>`,
    String.raw`\{%[^%\n]{1,80}%\}`,
    String.raw`\$\{[A-Za-z_][\w.]{0,60}\}`,
    String.raw`\[\[[A-Za-z_][\w .:|-]{0,60}\]\]`,
  ].join("|"),
  "g",
);

/** How they begin: most texts hold none, and need no more than this one look. */
const beginning = /\{[{%]|\*\||%%|<%|\$\{|\[\[/;

/** Each once, in their order, at most `max`. */
export function templateMarksIn(text: string, max: number): string[] {
  const found = new Set<string>();
  if (!beginning.test(text)) return [];
  for (const [mark] of text.matchAll(marks)) {
    found.add(mark);
    if (found.size >= max) break;
  }
  return [...found];
}
