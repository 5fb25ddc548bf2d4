// All images and everything else that opening the message would load, and which of them track opens.

import type { ComputedStyle } from "../html/computed-style.ts";
import { parseLength } from "../html/css-values.ts";
import { type Load, type LoadPlace, loadsOf } from "../html/loads.ts";
import type { HtmlElement } from "../html/tree.ts";
import type { Page, Picture } from "../html/visible-content.ts";
import { toStorable, toStorableCut } from "../text/bounds.ts";
import { type Tracker, token, trackerByAddress } from "../urls/known-trackers.ts";
import { type KnownHosts, readWebAddress, type WebAddress } from "../urls/web-address.ts";

export type Image = {
  /** Cut. Only the beginning of a data: address. */
  readonly src: string;
  readonly kind: "remote" | "cid" | "data" | "none";
  readonly place: LoadPlace;
  readonly scheme: string | null;
  readonly host: string | null;
  readonly orgDomain: string | null;
  /** In pixels, as shown. Null if not given. */
  readonly width: number | null;
  readonly height: number | null;
  readonly area: number | null;
  /** Null if there is no attribute. */
  readonly alt: string | null;
  /** The target of a click on it. */
  readonly linked: string | null;
  /** Its link has no other content. */
  readonly isOnlyContentOfLink: boolean;
  /** The link's accessible label apart from its content. */
  readonly linkLabel: string | null;
  readonly bytes: number | null;
  readonly format: string | null;
  readonly visible: boolean;
  /** A spacer that only serves the layout. */
  readonly isSpacer: boolean;
  /** It replaces a video or an image of another format. */
  readonly isFallback: boolean;
  readonly tracking: Tracker | null;
};

export type Images = {
  readonly list: readonly Image[];
  readonly total: number;
  /** Tracking images. The preview never loads them. */
  readonly trackingElements: ReadonlySet<HtmlElement>;
};

/** The type and size of an embedded image. Null if the message has no such part. */
export type CidLookup = (cid: string) => { readonly type: string; readonly sizeBytes: number } | null;

export const maxImages = 1_000;
const maxSrcLength = 500;

export function toImages(
  page: Page,
  lookUpCid: CidLookup = () => null,
  loads: readonly Load[] = loadsOf(page),
): Images {
  const { pictures, pictureCount } = page.sight;
  const trackingElements = new Set<HtmlElement>();
  const last = pictures.at(-1);
  const context: Context = { lookUpCid, hosts: new Map() };
  const images = pictures.slice(0, maxImages).map((picture) => {
    const image = fromPicture(picture, context, picture === last);
    if (image.tracking) trackingElements.add(picture.element);
    return image;
  });
  const others = loads.slice(0, maxImages - images.length).map((load) => fromLoad(load, context));
  return { list: [...images, ...others], total: pictureCount + loads.length, trackingElements };
}

type Context = { readonly lookUpCid: CidLookup; readonly hosts: KnownHosts };

function fromPicture(picture: Picture, context: Context, isLast: boolean): Image {
  const { element, look, anchor, isFallback } = picture;
  const source = element.attributes.get("src")?.trim() ?? "";
  const width = sizeOf(picture, "width");
  const height = sizeOf(picture, "height");
  const area = width === null || height === null ? null : width * height;
  const alt = element.attributes.get("alt");
  const { address, image } = readSource(source, context);
  const isNamedSpacer = address !== null && isSpacerName(address);
  const shown = { width, height, look, alt, isLinked: anchor !== null, isLast };
  const tracking = address === null || isNamedSpacer ? null : trackerOf(address, shown);
  return {
    ...image,
    place: "img",
    width,
    height,
    area,
    alt: alt === undefined ? null : toStorableCut(alt.trim(), 300),
    linked: anchor === null ? null : toStorableCut(anchor.element.attributes.get("href")?.trim() ?? "", maxSrcLength),
    isOnlyContentOfLink: anchor !== null && anchor.text.trim() === "" && anchor.images.length === 1,
    linkLabel: anchor && labelOf(anchor.element.attributes),
    visible: look.hidden === null,
    isSpacer: isNamedSpacer || (area !== null && area <= 4 && tracking === null),
    isFallback,
    tracking,
  };
}

function labelOf(attributes: HtmlElement["attributes"]): string | null {
  const label = attributes.get("aria-label")?.trim() || attributes.get("title")?.trim();
  return label ? toStorableCut(label, 300) : null;
}

function isSpacerName({ path, query }: WebAddress): boolean {
  return (
    query === "" &&
    /\/(?:spacer|blank|clear|transparent|pixel|1x1|shim)[\w-]{0,20}\.(?:gif|png)$/i.test(path.slice(-60))
  );
}

function fromLoad({ url, place }: Load, context: Context): Image {
  const { address, image } = readSource(url, context);
  return {
    ...image,
    place,
    width: null,
    height: null,
    area: null,
    alt: null,
    linked: null,
    isOnlyContentOfLink: false,
    linkLabel: null,
    visible: true,
    isSpacer: false,
    isFallback: false,
    tracking: address === null ? null : trackerByAddress(address),
  };
}

type Source = {
  readonly image: Pick<Image, "src" | "kind" | "scheme" | "host" | "orgDomain" | "bytes" | "format">;
  readonly address: WebAddress | null;
};

const unknownSource = { scheme: null, host: null, orgDomain: null, bytes: null, format: null };

function readSource(source: string, { lookUpCid, hosts }: Context): Source {
  if (/^data:/i.test(source)) return { image: readInlineSource(source), address: null };
  if (/^cid:/i.test(source)) {
    const part = lookUpCid(source.slice(4));
    const image = {
      ...unknownSource,
      src: toStorableCut(source, maxSrcLength),
      kind: "cid",
      scheme: "cid",
      bytes: part?.sizeBytes ?? null,
      format: formatOf(part?.type.replace(/^image\//, "") ?? null),
    } as const;
    return { image, address: null };
  }
  const address = readWebAddress(source, hosts);
  const { scheme, host, orgDomain } = address;
  const ending = /\.([a-z]{3,4})$/i.exec(address.path.slice(-10))?.[1]?.toLowerCase() ?? null;
  const image = {
    src: toStorable(address.href),
    kind: host === null ? "none" : "remote",
    scheme,
    host,
    orgDomain,
    bytes: null,
    format: formatOf(ending),
  } as const;
  return { image, address: host === null ? null : address };
}

function readInlineSource(source: string): Source["image"] {
  const type = /^data:image\/([\w.+-]{1,20})/i.exec(source)?.[1]?.toLowerCase() ?? null;
  const comma = source.indexOf(",");
  const length = comma < 0 ? 0 : source.length - comma - 1;
  const isBase64 = /;base64$/i.test(source.slice(0, Math.max(0, comma)).slice(-20));
  return {
    ...unknownSource,
    src: toStorableCut(source, 60),
    kind: "data",
    scheme: "data",
    bytes: isBase64 ? Math.floor((length * 3) / 4) : length,
    format: formatOf(type),
  };
}

const formats: ReadonlyMap<string, string> = new Map([
  ["jpg", "jpeg"],
  ["jpe", "jpeg"],
  ["pjpeg", "jpeg"],
  ["svg+xml", "svg"],
  ["x-icon", "ico"],
  ["vnd.microsoft.icon", "ico"],
  ["x-png", "png"],
  ...["png", "jpeg", "gif", "webp", "svg", "avif", "apng", "bmp", "ico", "tiff", "heic"].map(
    (name): [string, string] => [name, name],
  ),
]);

function formatOf(name: string | null): string | null {
  return name === null ? null : (formats.get(name) ?? null);
}

/** The size as shown: styles override attributes, and a maximum overrides both. */
function sizeOf({ specified, element }: Picture, name: "width" | "height"): number | null {
  const most = toPixels(specified.get(name === "width" ? "max-width" : "max-height"));
  const set = toPixels(specified.get(name) ?? element.attributes.get(name));
  const least = most === null ? set : set === null ? (most === 0 ? 0 : null) : Math.min(most, set);
  return least === null || least < 0 ? null : Math.round(least);
}

function toPixels(length: string | undefined): number | null {
  if (length === undefined) return null;
  // The usual form of the attribute.
  return /^\d{1,6}$/.test(length) ? Number(length) : parseLength(length, 16);
}

// Decides whether an image tracks opens: first by its address, which names a service, then by features that only
// tracking pixels have.

type ImageContext = {
  readonly width: number | null;
  readonly height: number | null;
  readonly look: ComputedStyle;
  readonly alt: string | undefined;
  readonly isLinked: boolean;
  /** No image follows. */
  readonly isLast: boolean;
};

/** A shorter token, enough on an image of one pixel: "9f83ba1c", "482913", "kq417zmm20vwx". */
const shortToken = /\/(?=[\w-]{0,40}\d)(?:(?:[0-9a-f-]{8,}|\d{5,})(?:\.\w{2,4})?|[0-9a-z]{10,})$/i;

/** Anything wider or taller is a line or an image, not a tracking pixel. */
const maxCounterPx = 20;

function trackerOf(address: WebAddress, shown: ImageContext): Tracker | null {
  const known = trackerByAddress(address);
  const seen = isForOtherScreens(shown) ? [] : reasonsOf(shown);
  // A larger image may have a path that only looks like a tracker's.
  const isPicture = (shown.width ?? 0) > maxCounterPx && (shown.height ?? 0) > maxCounterPx;
  if (known !== null && (known.service !== null || !isPicture))
    return { ...known, reasons: [...known.reasons, ...seen] };
  if (seen.length > 0 && hasToken(address, shown)) return { service: null, confidence: "high", reasons: seen };
  return isUnmarked(shown) && token.test(address.query)
    ? {
        service: null,
        confidence: "low",
        reasons: ["is the last image, has no alt text or size, and its address contains a token"],
      }
    : null;
}

function hasToken({ query, path }: WebAddress, { width, height }: ImageContext): boolean {
  const isPixel = (width ?? 99) <= 2 && (height ?? 99) <= 2;
  return query !== "" || token.test(path) || (isPixel && shortToken.test(path));
}

/** It says what it shows, so it is hidden on some screens only. */
function isForOtherScreens({ look, alt }: ImageContext): boolean {
  return look.hidden === "display" && Boolean(alt);
}

function reasonsOf({ width, height, look }: ImageContext): string[] {
  const isLarge = (width ?? 0) > maxCounterPx || (height ?? 0) > maxCounterPx;
  const isTiny = (width ?? 99) <= 2 || (height ?? 99) <= 2;
  return [
    ...(isTiny && !isLarge ? [`is ${width ?? "?"}×${height ?? "?"} pixels`] : []),
    // An image hidden at full size is meant for narrow screens, even if old Outlook needs max-height:0 to hide it.
    ...(isLarge && look.hidden !== "display" && (width === 0 || height === 0) ? ["has no area"] : []),
    ...(look.hidden !== null && !isLarge ? [`is hidden (${look.hidden})`] : []),
  ];
}

function isUnmarked({ isLast, isLinked, alt, width, height }: ImageContext): boolean {
  return isLast && !isLinked && !alt && width === null && height === null;
}
