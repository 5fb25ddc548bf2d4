// Every link of the HTML and every address in the plain text, judged as written. No network request is made: a target
// is known only if the address itself contains it.

import { hasPublicSuffix } from "../headers/registrable-domain.ts";
import { type ComputedStyle, contrastIn, type HiddenHow } from "../html/computed-style.ts";
import { withSingleSpaces } from "../html/seen-text.ts";
import type { Anchor, Page } from "../html/visible-content.ts";
import { toStorable, toStorableCut } from "../text/bounds.ts";
import { decodeEscapes } from "../urls/percent.ts";
import { type KnownHosts, readWebAddress, type WebAddress } from "../urls/web-address.ts";
import { type AddressVerdict, judgeAddress } from "./judge-address.ts";
import { namesUnsubscribing } from "./unsubscribe-words.ts";

export type LinkTarget = Pick<WebAddress, "href" | "host" | "orgDomain">;

export type Link = Pick<
  WebAddress,
  "href" | "length" | "scheme" | "host" | "unicodeHost" | "orgDomain" | "port" | "userinfo" | "form" | "faults"
> & {
  readonly place: "html" | "text";
  /** With single spaces, cut. */
  readonly text: string;
  /** The image's alt text or the label, for a link without text. */
  readonly label: string | null;
  readonly images: number;
  /** The host that the text claims to lead to, with the scheme if it has one. */
  readonly textHost: string | null;
  readonly textOrgDomain: string | null;
  readonly textScheme: "http" | "https" | null;
  /** The service that tracks the click, or `unnamedTracker` for what only looks like one. */
  readonly tracker: string | null;
  readonly shortener: { readonly host: string; readonly brand: string | null } | null;
  readonly redirector: string | null;
  /**
   * The final address that is contained in this one, past trackers, redirectors and the recipient's own link
   * protection.
   */
  readonly target: LinkTarget | null;
  readonly role: "content" | "unsubscribe" | "social" | "image";
  readonly visible: boolean;
  readonly hiddenHow: HiddenHow | null;
  readonly fontPx: number | null;
  readonly contrast: number | null;
  /** Lower case, from the last segment of the path. */
  readonly fileExtension: string | null;
  /** One label mixes letters of several scripts or has invisible characters. */
  readonly isMixedScript: boolean;
  readonly hasInvisible: boolean;
  /** A merge tag that was not replaced. */
  readonly placeholder: string | null;
};

export type Links = {
  readonly list: readonly Link[];
  /** Includes those past the limit. */
  readonly total: number;
};

/** More than any real message has. Further links are only counted. */
export const maxLinks = 1_000;

const maxTextLength = 300;

export function toLinks(page: Page | null, plainText: string): Links {
  const reader = new LinkReader();
  const found: Link[] = [];
  for (const anchor of page?.sight.anchors.slice(0, maxLinks) ?? []) found.push(fromAnchor(anchor, page, reader));
  const written = addressesIn(plainText);
  for (const href of written.slice(0, maxLinks - found.length)) found.push(fromText(href, reader));
  return { list: found, total: (page?.sight.anchorCount ?? 0) + written.length };
}

/** Newsletters repeat addresses and texts, so each is judged once. */
class LinkReader {
  readonly #hosts: KnownHosts = new Map();
  readonly #judged = new Map<string, AddressVerdict>();
  readonly #unsubscribing = new Map<string, boolean>();
  readonly #contrasts = new Map<ComputedStyle, number | null>();

  read(href: string): AddressVerdict {
    const known = this.#judged.get(href);
    if (known !== undefined) return known;
    const judged = judgeAddress(href, this.#hosts);
    this.#judged.set(href, judged);
    return judged;
  }

  namesUnsubscribing(words: string): boolean {
    const known = this.#unsubscribing.get(words);
    if (known !== undefined) return known;
    const names = namesUnsubscribing(words);
    this.#unsubscribing.set(words, names);
    return names;
  }

  /** Rounded to two decimals. */
  contrastOf(look: ComputedStyle): number | null {
    const known = this.#contrasts.get(look);
    if (known !== undefined) return known;
    const contrast = contrastIn(look);
    const rounded = contrast === null ? null : Math.round(contrast * 100) / 100;
    this.#contrasts.set(look, rounded);
    return rounded;
  }
}

function fromAnchor(anchor: Anchor, page: Page | null, reader: LinkReader): Link {
  const { look, textLook, images, element } = anchor;
  const href = element.attributes.get("href") ?? "";
  const { link, role } = reader.read(href);
  const text = withSingleSpaces(anchor.text).trim();
  const label = labelOf(anchor);
  const hiddenHow = textLook === null ? look.hidden : anchor.isTextHidden;
  const claim = claimOf(text);
  const own = text === "" && images.length > 0 ? "image" : "content";
  return {
    ...link,
    faults: isDead(href, page) ? [...link.faults, "empty"] : link.faults,
    place: "html",
    text: toStorableCut(text, maxTextLength),
    label,
    images: images.length,
    textHost: claim.textHost,
    textOrgDomain: claim.textOrgDomain,
    textScheme: claim.textScheme,
    role: reader.namesUnsubscribing(text || (label ?? "")) ? "unsubscribe" : (role ?? own),
    visible: hiddenHow === null,
    hiddenHow,
    fontPx: textLook === null ? null : Math.round(textLook.fontPx * 100) / 100,
    contrast: textLook === null ? null : reader.contrastOf(textLook),
  };
}

/** It leads to an anchor that the message doesn't have. */
function isDead(href: string, page: Page | null): boolean {
  return /^#./.test(href) && href !== "#top" && !page?.tree.ids.has(decodeEscapes(href.slice(1)));
}

/** Email clients link `www.…` too. It is parsed without a scheme and shown as written. */
function fromText(written: string, reader: LinkReader): Link {
  const { link, role } = reader.read(/^www/i.test(written) ? `//${written}` : written);
  const href = toStorable(written);
  return {
    ...link,
    href,
    length: href.length,
    place: "text",
    text: "",
    label: null,
    images: 0,
    ...noClaim,
    role: role ?? "content",
    visible: true,
    hiddenHow: null,
    fontPx: null,
    contrast: null,
  };
}

const noClaim = { textHost: null, textOrgDomain: null, textScheme: null } as const;

/** The host that a text names: an address anywhere in it, or a text that is only a domain. */
function claimOf(whole: string): Pick<Link, "textHost" | "textOrgDomain" | "textScheme"> {
  const text = whole.slice(0, maxClaimLength);
  if (!text.includes(".")) return noClaim;
  const named = /(?<![\p{L}\p{N}@.-])(?:(https?):\/\/|www\.)\S/iu.exec(text);
  const bare = text.replace(/^[^\p{L}\p{N}]{1,10}|[^\p{L}\p{N}/]{1,10}$/gu, "");
  const written = named ? text.slice(named.index) : domainOnly.test(bare) ? bare : null;
  if (written === null) return noClaim;
  const [first = ""] = written.split(/[\s<>"]/, 1);
  const address = first.replace(/[.,;:!?)\]}*_]{1,20}$/, "");
  const { host, orgDomain } = readWebAddress(named?.[1] === undefined ? `http://${address}` : address);
  if (host === null || (!named && !isRegistrable(host))) return noClaim;
  const scheme = named?.[1]?.toLowerCase();
  return {
    textHost: host,
    textOrgDomain: orgDomain,
    textScheme: scheme === "http" || scheme === "https" ? scheme : null,
  };
}

/** Readers see a link's address near its beginning. */
const maxClaimLength = 2_000;

const domainOnly = /^(?:www\.)?[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}(?:[/?#]\S*)?$/iu;

/** Includes the example domains of RFC 2606, which stand for any other. */
function isRegistrable(host: string): boolean {
  return hasPublicSuffix(host) || host.endsWith(".example");
}

function labelOf({ element, images }: Anchor): string | null {
  const alt = images.map((image) => image.attributes.get("alt")?.trim() ?? "").find((text) => text !== "");
  const label = element.attributes.get("aria-label")?.trim() || alt || element.attributes.get("title")?.trim();
  return label ? toStorableCut(label, maxTextLength) : null;
}

function addressesIn(text: string): string[] {
  return findAddresses(text).map(({ start, end }) => text.slice(start, end));
}

/** Finds addresses in plain text, without the period or parenthesis that follows them, except in angle brackets. */
export function findAddresses(text: string): { readonly start: number; readonly end: number }[] {
  const found = text.matchAll(/\b(?:https?:\/\/|www\.)[^\s<>"'`{}|\\^]{1,2048}/gi);
  return [...found].map(({ 0: written, index }) => {
    const isWhole = text[index - 1] === "<" && text[index + written.length] === ">";
    const trimmed = isWhole ? written : written.replace(/[.,;:!?)\]}*_]{1,20}$/, "");
    return { start: index, end: index + trimmed.length };
  });
}
