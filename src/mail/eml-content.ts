// The HTML half of a message's view, in the names of the API: strings storable, lists bounded, with what was cut.

import type { SafeHtml } from "./html/safe-html.ts";
import type { Images } from "./links/images.ts";
import type { Links } from "./links/links.ts";
import { warningsOf } from "./links/warnings.ts";
import { unnamedTracker } from "./urls/patterns.ts";

export type EmlContent = {
  readonly html_safe: string | null;
  readonly html_safe_cut: boolean;
  readonly images: readonly EmlImage[];
  readonly images_cut: number;
  readonly tracking_pixels: readonly EmlTrackingPixel[];
  readonly links: readonly EmlLink[];
  readonly links_cut: number;
};

type EmlImage = {
  readonly src: string;
  readonly kind: "remote" | "cid" | "data" | "none";
  readonly place: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly alt: string | null;
  readonly bytes: number | null;
  readonly format: string | null;
  readonly tracking: { readonly service: string | null; readonly reasons: readonly string[] } | null;
};

type EmlTrackingPixel = {
  readonly src: string;
  readonly host: string | null;
  readonly service: string | null;
  readonly reasons: readonly string[];
};

type EmlLink = {
  readonly href: string;
  readonly text: string;
  readonly host: string | null;
  readonly place: "html" | "text";
  /** Where it leads in the end, when a redirector or tracker carries it. */
  readonly redirector: { readonly name: string | null; readonly target: string | null } | null;
  readonly warnings: readonly string[];
  /** The check that judges each warning, in the same order. */
  readonly warning_checks: readonly string[];
};

const maxListed = 500;

export function toEmlContent(safe: SafeHtml | null, images: Images, links: Links): EmlContent {
  const listedImages = images.list.slice(0, maxListed);
  const listedLinks = links.list.slice(0, maxListed);
  return {
    html_safe: safe?.html ?? null,
    html_safe_cut: safe?.isCut ?? false,
    images: listedImages.map(({ src, kind, place, width, height, alt, bytes, format, tracking }) => ({
      src,
      kind,
      place,
      width,
      height,
      alt,
      bytes,
      format,
      tracking: tracking && { service: tracking.service, reasons: tracking.reasons },
    })),
    images_cut: images.total - listedImages.length,
    tracking_pixels: images.list
      .flatMap(({ src, host, tracking }) =>
        tracking ? [{ src, host, service: tracking.service, reasons: tracking.reasons }] : [],
      )
      .slice(0, maxListed),
    links: listedLinks.map((link) => {
      const { href, text, label, host, place, tracker, redirector, shortener, target } = link;
      const name = redirector ?? tracker ?? shortener?.host ?? null;
      const warnings = warningsOf(link);
      return {
        href,
        text: place === "text" ? href : text || (label ?? ""),
        host,
        place,
        redirector:
          name === null
            ? null
            : { name: name === unnamedTracker ? null : name, target: target?.href ?? null },
        warnings: warnings.map(({ says }) => says),
        warning_checks: warnings.map(({ check }) => check),
      };
    }),
    links_cut: links.total - listedLinks.length,
  };
}
