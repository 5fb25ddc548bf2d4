// Every picture and every other thing that opening the message would load, and which of them count the reader.

import { parseLength } from "./css-values.ts";
import type { Page, Picture } from "./html-sight.ts";
import type { HtmlElement } from "./html-tree.ts";
import { type Load, type LoadPlace, loadsOf } from "./loads.ts";
import { toStorable, toStorableCut } from "./storable.ts";
import { type Tracker, trackerByAddress, trackerOf } from "./trackers.ts";
import { readWebAddress, type WebAddress } from "./web-address.ts";

export type Image = {
  /** Cut; of a data: address only its beginning. */
  readonly src: string;
  readonly kind: "remote" | "cid" | "data" | "none";
  readonly place: LoadPlace;
  readonly scheme: string | null;
  readonly host: string | null;
  readonly orgDomain: string | null;
  /** In pixels, as shown; null when not said. */
  readonly width: number | null;
  readonly height: number | null;
  readonly area: number | null;
  /** Null when there is no attribute. */
  readonly alt: string | null;
  /** Where a click on it leads. */
  readonly linked: string | null;
  /** It is all that its link holds. */
  readonly isOnlyContentOfLink: boolean;
  /** What its link is called beside what it holds. */
  readonly linkLabel: string | null;
  readonly bytes: number | null;
  readonly format: string | null;
  readonly visible: boolean;
  /** A spacer, drawn for the layout alone. */
  readonly isSpacer: boolean;
  /** Stands in for a video or another format. */
  readonly isFallback: boolean;
  readonly tracking: Tracker | null;
};

export type Images = {
  readonly list: readonly Image[];
  readonly total: number;
  /** The elements whose pictures count the reader: the preview never loads them. */
  readonly trackingElements: ReadonlySet<HtmlElement>;
};

/** The type and size of a picture that the message brings along; null when it has no such part. */
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
  const images = pictures.slice(0, maxImages).map((picture) => {
    const image = fromPicture(picture, lookUpCid, picture === last);
    if (image.tracking) trackingElements.add(picture.element);
    return image;
  });
  const others = loads.slice(0, maxImages - images.length).map((load) => fromLoad(load, lookUpCid));
  return { list: [...images, ...others], total: pictureCount + loads.length, trackingElements };
}

function fromPicture(picture: Picture, lookUpCid: CidLookup, isLast: boolean): Image {
  const { element, look, anchor, isFallback } = picture;
  const source = element.attributes.get("src")?.trim() ?? "";
  const width = sizeOf(picture, "width");
  const height = sizeOf(picture, "height");
  const area = width === null || height === null ? null : width * height;
  const alt = element.attributes.get("alt");
  const { address, ...image } = readSource(source, lookUpCid);
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
    linked:
      anchor === null
        ? null
        : toStorableCut(anchor.element.attributes.get("href")?.trim() ?? "", maxSrcLength),
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

function fromLoad({ url, place }: Load, lookUpCid: CidLookup): Image {
  const { address, ...image } = readSource(url, lookUpCid);
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

type Source = Pick<Image, "src" | "kind" | "scheme" | "host" | "orgDomain" | "bytes" | "format"> & {
  readonly address: WebAddress | null;
};

function readSource(source: string, lookUpCid: CidLookup): Source {
  const none = { scheme: null, host: null, orgDomain: null, bytes: null, format: null, address: null };
  if (/^data:/i.test(source)) {
    const type = /^data:image\/([\w.+-]{1,20})/i.exec(source)?.[1]?.toLowerCase() ?? null;
    const comma = source.indexOf(",");
    const bytes =
      comma < 0
        ? 0
        : /;base64$/i.test(source.slice(0, comma).slice(-20))
          ? Math.floor(((source.length - comma - 1) * 3) / 4)
          : source.length - comma - 1;
    return {
      ...none,
      src: toStorableCut(source, 60),
      kind: "data",
      scheme: "data",
      bytes,
      format: formatOf(type),
    };
  }
  if (/^cid:/i.test(source)) {
    const part = lookUpCid(source.slice(4));
    const format = formatOf(part?.type.replace(/^image\//, "") ?? null);
    return {
      ...none,
      src: toStorableCut(source, maxSrcLength),
      kind: "cid",
      scheme: "cid",
      bytes: part?.sizeBytes ?? null,
      format,
    };
  }
  const address = readWebAddress(source);
  const { scheme, host, orgDomain } = address;
  const format = formatOf(/\.([a-z]{3,4})$/i.exec(address.path.slice(-10))?.[1]?.toLowerCase() ?? null);
  return {
    src: toStorable(address.href),
    kind: host === null ? "none" : "remote",
    scheme,
    host,
    orgDomain,
    bytes: null,
    format,
    address: host === null ? null : address,
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

/** What is shown: a style goes before the attribute, and a most goes before all. */
function sizeOf({ specified, element }: Picture, name: "width" | "height"): number | null {
  const most = parseLength(specified.get(`max-${name}`) ?? "", 16);
  const set = parseLength(specified.get(name) ?? element.attributes.get(name) ?? "", 16);
  const least = most === null ? set : set === null ? (most === 0 ? 0 : null) : Math.min(most, set);
  return least === null || least < 0 ? null : Math.round(least);
}
