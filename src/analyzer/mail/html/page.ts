// What a message's HTML says: the facts for checks, from one reading of the tree.

import { toStorable, toStorableCut } from "../text/bounds.ts";
import { createLineFinder, type HtmlComments, readComments } from "./comments.ts";
import { type ComputedStyle, contrastIn, type HiddenHow, isLarge } from "./computed-style.ts";
import { toHex } from "./css-values.ts";
import { featuresIn, type HtmlFeatures } from "./features.ts";
import { isFontSheet, type Markup, readMarkup } from "./markup.ts";
import { type FaultKind, type HtmlElement, parseTree } from "./tree.ts";
import { type Page, type TextRun, toPage } from "./visible-content.ts";

type HtmlSource = {
  readonly text: string;
  /** Size of the whole part in UTF-8, if `text` is only its beginning. */
  readonly decodedBytes?: number;
  readonly isCut?: boolean;
};

type HiddenRun = {
  /** Without spaces and invisible characters. */
  readonly chars: number;
  readonly how: HiddenHow;
  readonly text: string;
  /** Visible characters before it. */
  readonly position: number;
  /**
   * Why the hidden text isn't deceptive: it is the preview line, shown on narrow screens, or hidden only from Outlook.
   */
  readonly exempt: "preheader" | "media" | "mso" | null;
};

/** All visible text of one style. */
export type TextStyle = {
  readonly chars: number;
  /** Empty if it has neither letters nor digits, like a separator. */
  readonly sample: string;
  readonly fontPx: number;
  readonly isBold: boolean;
  /** As `#rrggbb`. Null where it can't be known. */
  readonly color: string | null;
  readonly background: string | null;
  /** WCAG. Null where a color isn't known. */
  readonly contrast: number | null;
  readonly isLarge: boolean;
};

export type Html = Markup & {
  readonly decodedBytes: number;
  /** What was left out, so that the facts aren't mistaken for the whole. */
  readonly cuts: readonly ("bytes" | "depth" | "elements" | "attributes" | "styles" | "text")[];
  readonly doctype: string | null;
  readonly visibleText: string;
  /** Without code and quoted messages. */
  readonly ownText: string;
  readonly visibleChars: number;
  readonly hiddenRuns: readonly HiddenRun[];
  readonly hiddenRunCount: number;
  /** What the inbox shows after the subject. */
  readonly preview: { readonly text: string; readonly from: "hidden" | "visible" | "alt" | "link" } | null;
  /** Most used first. */
  readonly textStyles: readonly TextStyle[];
  readonly styles: HtmlStyles;
  readonly styleBytes: number;
  readonly widest: { readonly widthPx: number; readonly tag: string } | null;
  readonly features: HtmlFeatures;
  readonly comments: HtmlComments;
  readonly faults: readonly { readonly line: number; readonly kind: FaultKind; readonly tag: string }[];
  readonly faultCount: number;
  /** U+0080–U+009F. */
  readonly controlCharacters: { readonly count: number; readonly first: string | null };
};

type HtmlStyles = {
  readonly inHead: number;
  readonly inBody: number;
  readonly rules: number;
  readonly imports: readonly { readonly url: string; readonly isFont: boolean }[];
  /** As `@media (max-width:600px)`, each once. */
  readonly conditions: readonly string[];
  readonly hasMediaQueries: boolean;
  readonly declaresColorScheme: boolean;
};

const maxHiddenRuns = 200;
const maxListed = 50;
const maxTextStyles = 500;
const maxPreheaderChars = 200;
/**
 * Visible characters allowed before a preheader if they contain a link, such as "View online". After words alone it
 * counts as hidden text.
 */
const maxBeforePreheader = 60;
const maxSampleLength = 200;
const maxPreviewLength = 140;
const maxTagLength = 40;

/** Ten times what Gmail shows. The rest is cut before parsing. */
export const maxHtmlLength = 1_048_576;

/** The only reading of a message's HTML. Everything else is derived from the page. */
export function readPage(text: string): Page {
  return toPage(parseTree(text.slice(0, maxHtmlLength)));
}

export function toHtml(page: Page, { text, decodedBytes, isCut = false }: HtmlSource): Html {
  const { tree, sight, cascade } = page;
  const markup = readMarkup(tree);
  const hidden = hiddenGroupsOf(sight.runs);
  const lineOf = createLineFinder(tree.source);
  const cuts: Html["cuts"][number][] = [...tree.cuts];
  if (isCut || text.length > maxHtmlLength) cuts.unshift("bytes");
  if (cascade.isCut()) cuts.push("styles");
  if (sight.isTextCut) cuts.push("text");
  const visibleText = toStorable(sight.visibleText);
  const faults = [...tree.faults].sort((one, other) => one.offset - other.offset);
  return {
    ...markup,
    decodedBytes: decodedBytes ?? Buffer.byteLength(text),
    cuts,
    doctype: tree.doctype === null ? null : toStorableCut(tree.doctype, 200),
    visibleText,
    ownText: sight.ownText === sight.visibleText ? visibleText : toStorable(sight.ownText),
    visibleChars: sight.visibleChars,
    hiddenRuns: hidden.slice(0, maxHiddenRuns).flatMap((runs, index) => toHiddenRun(runs, index === 0, page)),
    hiddenRunCount: hidden.length,
    preview: previewOf(page),
    textStyles: textStylesOf(sight.runs),
    styles: stylesOf(page),
    styleBytes: cascade.sheets.reduce((sum, { bytes }) => sum + bytes, 0),
    widest: sight.widest && {
      widthPx: sight.widest.widthPx,
      tag: toStorableCut(sight.widest.element.name, maxTagLength),
    },
    features: featuresIn(page),
    comments: readComments(tree),
    faults: faults.map(({ kind, tag, offset }) => ({
      kind,
      tag: toStorableCut(tag, maxTagLength),
      line: lineOf(offset),
    })),
    faultCount: tree.faultCount,
    controlCharacters: controlCharactersIn(text),
  };
}

/** Neighbors that are hidden in the same way form one run. */
export function hiddenGroupsOf(runs: readonly TextRun[]): TextRun[][] {
  const groups: TextRun[][] = [];
  let before: HiddenHow | null = null;
  for (const run of runs) {
    const how = howHidden(run);
    if (how !== null && how === before) groups.at(-1)?.push(run);
    else if (how !== null) groups.push([run]);
    before = how;
  }
  return groups;
}

function howHidden({ how, look }: TextRun): HiddenHow | null {
  return how ?? (look.isMsoHidden ? "mso-hide" : null);
}

function toHiddenRun(runs: readonly TextRun[], isFirst: boolean, page: Page): HiddenRun[] {
  const [first] = runs;
  const how = first ? howHidden(first) : null;
  if (!first || how === null) return [];
  const chars = runs.reduce((sum, run) => sum + run.chars, 0);
  const isPreheader = isFirst && chars <= maxPreheaderChars && isAtBeginning(first, page.sight.runs);
  const isShown = first.hider !== null && page.cascade.isShownOnCondition(first.hider);
  const exempt = how === "mso-hide" ? "mso" : isPreheader ? "preheader" : isShown ? "media" : null;
  return [{ chars, how, text: sampleOf(runs), position: first.position, exempt }];
}

function isAtBeginning({ position, order }: TextRun, runs: readonly TextRun[]): boolean {
  if (position === 0) return true;
  return position <= maxBeforePreheader && runs.some((run) => run.order < order && run.anchor !== null);
}

/** Characters that pad preview lines. */
const padding = /(?:(?:\u034f|[\u00a0\u00ad\u180e\u2007\u200b-\u200f\u2060\ufeff])\s?){2,}/g;

export function sampleOf(runs: readonly TextRun[]): string {
  const texts = runs.slice(0, 50).map(({ text, isApart }) => (isApart ? " " : "") + text.slice(0, maxSampleLength));
  return toStorableCut(texts.join("").replace(padding, " ").trim(), maxSampleLength);
}

/** The first words, visible or not, after the alt text of an image before them. */
function previewOf({ sight: { runs, pictures } }: Page): Html["preview"] {
  const [first] = runs;
  const alt = pictures.find(({ look, element }) => look.hidden === null && element.attributes.get("alt")?.trim());
  const altText = alt?.element.attributes.get("alt")?.trim() ?? "";
  const words = sampleOf(runs.slice(0, 20));
  if (alt && (!first || (first.how === null && first.order > alt.order)))
    return { text: toStorableCut(`${altText} ${words}`.trim(), maxPreviewLength), from: "alt" };
  if (!first) return null;
  const linked = first.anchor?.text.replace(/\s+/g, " ").trim().length ?? leastPreview;
  const from = first.how !== null ? "hidden" : linked < leastPreview ? "link" : "visible";
  return { text: toStorableCut(words, maxPreviewLength), from };
}

/** As inboxes show it: padding after a hidden preview line keeps out the text that follows. */
export function toInboxPreview(page: Page): string | null {
  const { runs } = page.sight;
  const preview = previewOf(page);
  // The padding may be in another element, whose text is no run.
  const isPadded = () =>
    textsIn(page.tree.root)
      .take(mostTextsBeforePadding)
      .some((text) => text.match(padding)?.some(({ length }) => length >= leastPadding));
  if (preview?.from !== "hidden" || !isPadded()) return preview?.text ?? null;
  const end = runs.findIndex(({ how }) => how === null);
  return toStorableCut(sampleOf(end < 0 ? runs : runs.slice(0, end)), maxPreviewLength);
}

/** Characters that make a preview line. A linked headline of this length is content. */
const leastPreview = 40;
const mostTextsBeforePadding = 20;
const leastPadding = 20;

function* textsIn({ name, children }: HtmlElement): Generator<string> {
  if (name === "style" || name === "title") return;
  for (const child of children)
    if (typeof child === "object") yield* textsIn(child);
    else if (child.length > 1) yield child;
}

function textStylesOf(runs: readonly TextRun[]): TextStyle[] {
  const byLook = new Map<ComputedStyle, { chars: number; sample: TextRun | null }>();
  for (const run of runs) {
    if (run.how !== null) continue;
    const known = byLook.get(run.look) ?? { chars: 0, sample: null };
    known.chars += run.chars;
    if (run.chars > (known.sample?.chars ?? 0) && hasWords.test(run.text)) known.sample = run;
    byLook.set(run.look, known);
  }
  const merged = new Map<string, TextStyle>();
  for (const [look, { chars, sample }] of byLook) {
    const key = `${look.fontPx} ${look.isBold} ${toKey(look)}`;
    const style = merged.get(key) ?? toTextStyle(look);
    const text = style.sample || (sample === null ? "" : sampleOf([sample]));
    merged.set(key, { ...style, sample: text, chars: style.chars + chars });
  }
  return [...merged.values()].sort((one, other) => other.chars - one.chars).slice(0, maxTextStyles);
}

function toKey({ color, background, opacity }: ComputedStyle): string {
  return `${color && toHex(color)} ${color?.a} ${background && toHex(background)} ${opacity}`;
}

const hasWords = /[\p{L}\p{N}]/u;

export function toTextStyle(look: ComputedStyle): TextStyle {
  const contrast = contrastIn(look);
  return {
    chars: 0,
    sample: "",
    fontPx: Math.round(look.fontPx * 100) / 100,
    isBold: look.isBold,
    color: look.color && toHex(look.color),
    background: look.background && toHex(look.background),
    contrast: contrast === null ? null : Math.round(contrast * 100) / 100,
    isLarge: isLarge(look),
  };
}

function stylesOf({ cascade: { sheets } }: Page): HtmlStyles {
  const imports = sheets.flatMap(({ sheet }) => sheet.atRules.filter(({ name }) => name === "import"));
  const urls = imports.map(({ prelude }) => toStorableCut(urlInImport(prelude), 500));
  const conditions = new Set(
    sheets.flatMap(({ sheet, media }) => [...(media ? [`@media ${media.slice(0, 500)}`] : []), ...sheet.conditions]),
  );
  const listed = [...conditions].slice(0, maxListed).map((condition) => toStorableCut(condition, 200));
  return {
    inHead: sheets.filter(({ isInHead }) => isInHead).length,
    inBody: sheets.filter(({ isInHead }) => !isInHead).length,
    rules: sheets.reduce((sum, { sheet }) => sum + sheet.rules.length, 0),
    imports: urls.slice(0, maxListed).map((url) => ({ url, isFont: isFontSheet(url) })),
    conditions: listed,
    hasMediaQueries: listed.some((condition) => condition.startsWith("@media") && condition.includes("(")),
    declaresColorScheme:
      listed.some((condition) => condition.includes("prefers-color-scheme")) ||
      sheets.some(({ sheet }) =>
        sheet.rules.some(({ declarations }) => declarations.some(({ property }) => property === "color-scheme")),
      ),
  };
}

/** `@import url("x.css") screen` or `@import "x.css"`. */
export function urlInImport(prelude: string): string {
  return /^@import\s{0,20}(?:url\(\s{0,20})?["']?([^"')\s]{0,2000})/i.exec(prelude)?.[1] ?? "";
}

function controlCharactersIn(text: string): Html["controlCharacters"] {
  const found = text.match(/[\u0080-\u009f]/g);
  const code = found?.[0]?.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return { count: found?.length ?? 0, first: code === undefined ? null : `U+${code}` };
}
