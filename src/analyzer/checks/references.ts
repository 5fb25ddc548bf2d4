// Maps citations in checks to standards and provider pages.

import { pages, senderRules } from "./references-table.ts";

export type Reference = { readonly title: string; readonly url: string | null };

/** One citation may name several sections, or the rules of several providers. */
export function toReferences(cited: string): Reference[] {
  const { name, sections, note } = parse(cited);
  if (/^RFC \d+$/.test(name)) {
    const page = `https://www.rfc-editor.org/rfc/rfc${name.slice("RFC ".length)}`;
    return sections.length === 0
      ? [{ title: cited, url: page }]
      : sections.map((section) => ({
          title: `${name} §${section}${note}`,
          url: `${page}#section-${firstOf(section)}`,
        }));
  }
  const page = pages[cited] ?? pages[name];
  if (typeof page === "string") return [{ title: cited, url: page }];
  return page ? [...page] : (toSenderRules(cited) ?? [{ title: cited, url: null }]);
}

/** For a citation of one page. */
export function toReference(cited: string): Reference {
  return toReferences(cited)[0] ?? { title: cited, url: null };
}

/** `RFC 9989 §4.7, §4.8` → `RFC 9989`, `4.7` and `4.8`; `RFC 8601 §3 (iprev)` has a note. */
function parse(cited: string): { name: string; sections: string[]; note: string } {
  const [name = "", ...sections] = cited.split(/,? §/);
  const [, last = "", note = ""] = /^(\S*)( \(.*\))?$/.exec(sections.at(-1) ?? "") ?? [];
  return {
    name: sections.length === 0 ? withoutNote(cited) : name,
    sections: [...sections.slice(0, -1), last].filter((one) => one !== ""),
    note,
  };
}

function withoutNote(cited: string): string {
  return cited.replace(/ \([^()]*\)$/, "");
}

/** The link of a range leads to its start. */
function firstOf(section: string): string {
  return section.split("–")[0] ?? section;
}

function toSenderRules(cited: string): Reference[] | null {
  const [, names] = /^(.+) sender rules$/.exec(cited) ?? [];
  if (names === undefined) return null;
  return names
    .split(/, | and /)
    .map((provider) => ({ title: `${provider} sender rules`, url: senderRules[provider] ?? null }));
}
