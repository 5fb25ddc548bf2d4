// Finds the elements of a message's HTML, or the parts of its plain text, that the findings of its report are about.
// Works from the evidence that every stored report has, so that reports of earlier versions can be shown with pins.

import { leastPx } from "../checks/accessibility/text-size.ts";
import { shown } from "../checks/content/shown.ts";
import { isContentPicture } from "../checks/image-only.ts";
import { type BodyPlace, bodyPlaceOf } from "../checks/places-table.ts";
import type { TextPin } from "../mail/content.ts";
import { hiddenGroupsOf, sampleOf, type TextStyle, toTextStyle } from "../mail/html/page.ts";
import type { Pins } from "../mail/html/safe-html.ts";
import type { HtmlElement } from "../mail/html/tree.ts";
import type { Page, TextRun } from "../mail/html/visible-content.ts";
import { type Image, toImages } from "../mail/links/images.ts";
import { findAddresses, type Link, toLinks } from "../mail/links/links.ts";
import { namesUnsubscribing } from "../mail/links/unsubscribe-words.ts";
import { toVisible } from "../visible-text.ts";
import type { Occurrence } from "./judgment.ts";

type Findings = readonly { readonly id: string; readonly occurrences: readonly Pick<Occurrence, "evidence">[] }[];

/** For a finding. More would hide the message. */
const maxPlaces = 50;
/** Checks read no more text. */
const maxSearched = 200_000;

/** The elements, each with the IDs of the findings that are about it. */
export function toPins(findings: Findings, page: Page): Pins {
  return collect(findings, () => toHtmlBody(page));
}

export function toTextPins(findings: Findings, text: string): TextPin[] {
  return [...collect(findings, () => toTextBody(text))].map(([{ start, end }, names]) => ({ start, end, names }));
}

function collect<Place>(findings: Findings, readBody: () => Body<Place>): Map<Place, ReadonlySet<string>> {
  const pins = new Map<Place, ReadonlySet<string>>();
  let body: Body<Place> | null = null;
  for (const { id, occurrences } of findings) {
    const kind = bodyPlaceOf(id);
    if (kind === null) continue;
    const read: Body<Place> = body ?? readBody();
    body = read;
    const found = occurrences.flatMap(({ evidence }) => finders[kind](evidence, read));
    for (const place of [...new Set(found.map(({ at }) => at))].slice(0, maxPlaces))
      pins.set(place, new Set([...(pins.get(place) ?? []), id]));
  }
  return pins;
}

/** A body that a person sees, with the place of each thing in it: an element, or a part of the plain text. */
type Body<Place> = {
  readonly links: readonly (Link & { readonly at: Place })[];
  readonly images: readonly (Image & { readonly at: Place })[];
  /** Visible text with a style. */
  readonly runs: readonly (Pick<TextRun, "text" | "look"> & { readonly at: Place })[];
  readonly findHidden: (quotes: readonly string[]) => Found<Place>;
  readonly find: (quote: string, isCaseless?: boolean) => Found<Place>;
  readonly findTags: (name: string) => Found<Place>;
  readonly widest: Found<Place>;
};

type Evidence = Readonly<Record<string, unknown>>;
type Found<Place> = readonly { readonly at: Place }[];
type Finder = <Place>(evidence: Evidence, body: Body<Place>) => Found<Place>;

const finders: Readonly<Record<BodyPlace, Finder>> = {
  address: (evidence, { links }) => {
    const addresses = new Set([...named("href", evidence), ...texts(evidence.links)]);
    return links.filter(({ href }) => addresses.has(href));
  },
  link: ({ link }, { links }) =>
    links.filter(({ href, text }) => isRecord(link) && href === link.href && text === link.text),
  host: (evidence, { links }) => {
    const hosts = named("host", evidence);
    return links.filter(({ host }) => host !== null && hosts.includes(host));
  },
  domain: ({ domain }, { links, images }) => {
    const isAt = ({ host }: HostName) => host !== null && `.${host}`.endsWith(`.${domain}`);
    return [...links.filter(isAt), ...images.filter(isAt)];
  },
  "nameless link": (evidence, { links }) =>
    links.filter(({ href, text, label, images }) => href === evidence.href && !text && label === null && images === 0),
  "vague link": (evidence, { links }) => {
    const vague = new Set(texts(evidence.texts));
    return links.filter(({ text, label }) => label === null && vague.has(text));
  },
  image: (evidence, { images }) => {
    const cids = texts(evidence.cid).map((cid) => `cid:${cid}`);
    const sources = new Set([...named("src", evidence), ...texts(evidence.sources), ...cids]);
    const isSame = (name: "alt" | "linked", image: Image) => !(name in evidence) || evidence[name] === image[name];
    return images.filter((one) => sources.has(one.src) && isSame("alt", one) && isSame("linked", one));
  },
  "embedded image": (_, { images }) => images.filter((image) => image.kind === "data" && isContentPicture(image)),
  quote: ({ mark, others, text }, { links, find }) => {
    const quotes = [mark, others, text].flatMap(texts).map((quote) => quote.replace(/^"(.*)"$/, "$1"));
    const inLinks = links.filter(({ placeholder }) => placeholder !== null && quotes.includes(shown(placeholder)));
    return [...quotes.flatMap((quote) => find(quote)), ...inLinks];
  },
  phrase: ({ examples }, { find }) => texts(examples).flatMap((example) => find(example.slice(1, -1), true)),
  "unsubscribe words": (_, { runs }) => runs.filter(({ text }) => namesUnsubscribing(text)),
  "hidden text": (evidence, { findHidden }) => findHidden(named("text", evidence)),
  style: ({ styles }, { runs }) => {
    const looks = new Set([styles].flat().filter(isRecord).map(keyOf));
    return runs.filter(({ look, text }) => /[\p{L}\p{N}]/u.test(text) && looks.has(keyOf(toTextStyle(look))));
  },
  "small text": ({ charsBySize }, { runs }) => {
    const sizes = isRecord(charsBySize) ? Object.keys(charsBySize).map(Number) : [];
    return runs.filter(({ look }) => {
      const { fontPx } = toTextStyle(look);
      return fontPx < leastPx && sizes.includes(fontPx);
    });
  },
  tag: ({ tag }, { findTags }) => texts(tag).flatMap(findTags),
  "widest tag": (_, { widest }) => widest,
};

type HostName = { readonly host: string | null };

function keyOf({ fontPx, isBold, color, background, contrast }: Evidence | TextStyle): string {
  return [fontPx, isBold, color, background, contrast].join(" ");
}

function isRecord(value: unknown): value is Evidence {
  return typeof value === "object" && value !== null;
}

function texts(value: unknown): string[] {
  return [value].flat().filter((text) => typeof text === "string");
}

/** The texts of this name, in the evidence or in what it lists. */
function named(name: string, evidence: Evidence): string[] {
  return [evidence, ...Object.values(evidence).flat()].flatMap((one) => (isRecord(one) ? texts(one[name]) : []));
}

function toHtmlBody(page: Page): Body<HtmlElement> {
  const { anchors, pictures, runs, widest } = page.sight;
  const own = runs.filter(({ look }) => !look.isCode && !look.isQuoted);
  const visible = runs.filter(({ how }) => how === null);
  return {
    links: withPlaces(toLinks(page, "").list, anchors.map(seenAt)),
    images: withPlaces(toImages(page).list, pictures.map(seenAt)),
    runs: visible.map(({ text, look, element }) => ({ text, look, at: element })),
    findHidden: (quotes) =>
      hiddenGroupsOf(runs)
        .filter((group) => quotes.includes(sampleOf(group)))
        .flatMap(around),
    find: createFinderIn([...own.filter(({ how }) => how === null), ...own.filter(({ how }) => how !== null)]),
    findTags: (name) => elementsNamed(name, page.tree.root),
    widest: widest ? [{ at: widest.element }] : [],
  };
}

function toTextBody(text: string): Body<Range> {
  const links = withPlaces(toLinks(null, text).list, findAddresses(text));
  const none = () => [];
  return { links, find: createFinder(text), images: [], runs: [], findHidden: none, findTags: none, widest: [] };
}

/** The things were read from these places, in this order. */
function withPlaces<Thing, Place>(things: readonly Thing[], places: readonly Place[]): (Thing & { at: Place })[] {
  return places.slice(0, things.length).map((at, index) => ({ ...(things[index] as Thing), at }));
}

type Hideable = Pick<TextRun, "element" | "hider"> & { readonly how?: TextRun["how"] };

/** Hidden text has no place on a screen, so the element around it is shown. */
function seenAt({ element, hider, how }: Hideable): HtmlElement {
  const hiding = how === "font-size" ? element : hider;
  return hiding?.parent ?? element;
}

function elementsNamed(name: string, root: HtmlElement): { at: HtmlElement }[] {
  const elements = [root];
  for (const { children } of elements) elements.push(...children.filter((child) => typeof child === "object"));
  return elements.filter((element) => element.name === name).map((at) => ({ at }));
}

/** The innermost element around texts that follow each other. */
function around(runs: readonly TextRun[]): { at: HtmlElement }[] {
  const [first, last] = [runs.at(0), runs.at(-1)];
  if (first === undefined || last === undefined) return [];
  const outer = new Set(ancestorsOf(seenAt(first)));
  return ancestorsOf(seenAt(last))
    .filter((element) => outer.has(element))
    .slice(0, 1)
    .map((at) => ({ at }));
}

function ancestorsOf(element: HtmlElement): HtmlElement[] {
  const found = [element];
  for (const { parent } of found) if (parent !== null) found.push(parent);
  return found;
}

/** Finds a quote that may extend over several elements. */
function createFinderIn(runs: readonly TextRun[]): Body<HtmlElement>["find"] {
  const starts: number[] = [];
  let length = 0;
  for (const { text } of runs) {
    starts.push(length);
    length += text.length + 1;
  }
  const find = createFinder(runs.map(({ text }) => text).join(" "));
  const runAt = (at: number) => starts.findLastIndex((start) => start <= at);
  return (quote, isCaseless) =>
    find(quote, isCaseless).flatMap(({ at: { start, end } }) => around(runs.slice(runAt(start), runAt(end - 1) + 1)));
}

type Range = Pick<TextPin, "start" | "end">;

/** Spaces, hyphens, and curly apostrophes don't count, because evidence has other ones than the text. */
function createFinder(text: string): Body<Range>["find"] {
  let bare: Bare | null = null;
  return (quote, isCaseless = false) => {
    bare ??= toBare(text);
    const { starts } = bare;
    const form = isCaseless ? "lower" : "text";
    const sought = toBare(quote.replace(/…$/, ""))[form];
    const toRange = (at: number) => {
      const last = starts[at + sought.length - 1] ?? 0;
      const end = last + String.fromCodePoint(text.codePointAt(last) ?? 0).length;
      return { at: { start: starts[at] ?? 0, end } };
    };
    const isWhole = ({ at: { start, end } }: { readonly at: Range }) =>
      !isWithinWord(text, start) && (quote.endsWith("…") || !isWithinWord(text, end));
    return indexesOf(sought, bare[form]).map(toRange).filter(isWhole).take(maxPlaces).toArray();
  };
}

function* indexesOf(sought: string, text: string): Generator<number, undefined> {
  if (sought === "") return;
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) yield at;
}

function isWithinWord(text: string, at: number): boolean {
  return [at - 1, at].every((index) => /[\p{L}\p{N}]/u.test(text.charAt(index)));
}

type Bare = { readonly text: string; readonly lower: string; readonly starts: readonly number[] };

function toBare(whole: string): Bare {
  const starts: number[] = [];
  let text = "";
  let lower = "";
  let at = 0;
  for (const sign of whole.slice(0, maxSearched)) {
    const written = /[\s-]/.test(sign) ? "" : sign === "’" ? "'" : toVisible(sign);
    const small = written.toLowerCase();
    text += written;
    lower += small.length === written.length ? small : written;
    for (let index = 0; index < written.length; index++) starts.push(at);
    at += sign.length;
  }
  return { text, lower, starts };
}
