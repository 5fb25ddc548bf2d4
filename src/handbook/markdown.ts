// Converts a handbook page from Markdown to HTML, and to sections for search. The files are our own, but text is escaped
// anyway, and raw HTML in a page is dropped.

import { Marked, type Token, type Tokens } from "marked";
import { escapeMarkup } from "../analyzer/visible-text.ts";
import { toPagePath } from "./pages.ts";

type Heading = { readonly depth: number; readonly text: string; readonly anchor: string };

/** What search finds: the text below one heading. `anchor` is empty for the part above the first one. */
type Section = { readonly heading: string; readonly anchor: string; readonly text: string };

export type Page = {
  readonly slug: string;
  readonly title: string;
  /** The first paragraph, as plain text. */
  readonly description: string;
  /** Without the title. */
  readonly html: string;
  readonly headings: readonly Heading[];
  /** What people ask that the page answers, from its comment `asks: …; …`. Only search reads it. */
  readonly asks: readonly string[];
  readonly sections: readonly Section[];
};

/** Where an inline code leads, such as a setting, a finding or an endpoint. */
type LinkOfCode = (code: string) => string | null;

export function renderMarkdown(slug: string, text: string, linkOfCode: LinkOfCode): Page {
  const marked = new Marked({ renderer: createRenderer(linkOfCode) });
  const [first, ...tokens] = marked.lexer(text).filter(({ type }) => type !== "space" && type !== "html");
  if (first?.type !== "heading" || first.depth !== 1)
    throw new Error(`src/handbook/${slug}.md begins with its title: # …`);
  const [lead] = tokens;
  if (lead?.type !== "paragraph") throw new Error(`src/handbook/${slug}.md has no paragraph below its title.`);
  const headings = tokens.flatMap((token) => (isHeading(token) ? toHeading(token) : []));
  return {
    slug,
    title: plainText(first),
    description: plainText(lead),
    html: marked.parser(tokens),
    headings,
    asks: /^<!-- asks: (.+) -->$/m.exec(text)?.[1]?.split(";") ?? [],
    sections: toSections(plainText(first), tokens),
  };
}

function createRenderer(linkOfCode: LinkOfCode) {
  return {
    heading({ tokens, depth, ...token }: Tokens.Heading): string {
      const { anchor } = toHeading({ ...token, tokens, depth });
      const inner = this.parser.parseInline(tokens);
      return `<h${depth} id="${anchor}"><a href="#${anchor}">${inner}</a></h${depth}>\n`;
    },
    link({ href, tokens }: Tokens.Link): string {
      return `<a href="${escapeMarkup(toServed(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    image({ href, text }: Tokens.Image): string {
      return `<img src="/docs/files/${escapeMarkup(href)}" alt="${escapeMarkup(text)}">`;
    },
    codespan({ text }: Tokens.Codespan): string {
      // A short one is not divided at its hyphens.
      const code = `<code${text.length <= 28 ? ' class="whole"' : ""}>${escapeMarkup(text)}</code>`;
      const link = linkOfCode(text);
      return link === null ? code : `<a href="${escapeMarkup(link)}">${code}</a>`;
    },
    code({ text }: Tokens.Code): string {
      return `<pre tabindex="0"><code>${escapeMarkup(text)}</code></pre>\n`;
    },
    table({ header, rows }: Tokens.Table): string {
      const cells = (row: readonly Tokens.TableCell[], tag: "th" | "td") =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
      const body = rows.map((row) => `<tr${rowAnchor(row)}>${cells(row, "td")}</tr>`).join("\n");
      return `<div class="scroll" tabindex="0"><table><thead><tr>${cells(header, "th")}</tr></thead>
<tbody>${body}</tbody></table></div>\n`;
    },
    html: () => "",
  } as ThisType<{ parser: { parseInline(tokens: Token[]): string } }> & Record<string, unknown>;
}

/** A row whose first cell is a name in code can be linked to. */
function rowAnchor([first]: readonly Tokens.TableCell[]): string {
  const [token] = first?.tokens ?? [];
  return token?.type === "codespan" ? ` id="${escapeMarkup(token.text)}"` : "";
}

/** Pages link to each other by file, so that the links work in the repository too. */
function toServed(href: string): string {
  const [, slug, anchor = ""] = /^([a-z-]+)\.md(?:#(.+))?$/.exec(href) ?? [];
  return slug === undefined ? href : toPagePath(slug, anchor);
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function toHeading(token: Tokens.Heading): Heading {
  const text = plainText(token);
  return { depth: token.depth, text, anchor: toAnchor(text) };
}

/** As GitHub makes it. */
export function toAnchor(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function toSections(title: string, tokens: readonly Token[]): Section[] {
  const sections: { heading: string; anchor: string; text: string }[] = [{ heading: title, anchor: "", text: "" }];
  for (const token of tokens) {
    if (isHeading(token) && token.depth <= 3) {
      const { text, anchor } = toHeading(token);
      sections.push({ heading: text, anchor, text: "" });
      continue;
    }
    const last = sections.at(-1);
    if (last !== undefined) last.text = `${last.text} ${plainText(token)}`.trim();
  }
  return sections;
}

function plainText(token: Token): string {
  if (token.type === "html") return "";
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .map((row) => row.map(({ tokens }) => tokens.map(plainText).join("")).join(" · "))
      .join(" ");
  }
  if (token.type === "list") return (token as Tokens.List).items.map(plainText).join(" ");
  const inner = "tokens" in token ? token.tokens : undefined;
  if (inner !== undefined && inner.length > 0) return inner.map(plainText).join("");
  return "text" in token ? String(token.text).replaceAll(/\s+/g, " ") : " ";
}
