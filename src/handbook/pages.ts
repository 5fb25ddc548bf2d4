// The table of contents of the handbook. Each page is src/handbook/<slug>.md: its first line is the title, its first
// paragraph the description that lists and search results show. The server shows the files of this folder, so the table
// itself is one further down.

import groups from "./contents/pages.json" with { type: "json" };

export const pageGroups: readonly { readonly title: string; readonly pages: readonly string[] }[] = groups;

/** The page in the browser; `anchor` is the id of a heading. */
export function toPagePath(slug: string, anchor = ""): string {
  return `/docs/${slug}${anchor === "" ? "" : `#${anchor}`}`;
}
