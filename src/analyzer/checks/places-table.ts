// Where a reader of the message sees what each finding is about: at an element of the body, or in the lines above it. In
// all three lists are checks, and findings that differ from the rest of their check.

import type { Area } from "./check.ts";

/** By how reports/pins.ts finds the place from the evidence. */
export const bodyPlaces = {
  /** Links with this address. */
  address: "link-credentials link-file link-form link-redirector link-scheme link-shortener unsubscribe-link",
  /** Links with this address and text. */
  link: "link-form.empty link-scheme.deceptive link-text",
  /** Links to this host. */
  host: "example-targets.link link-address link-host-exists link-hosts.risky-ending link-lookalike",
  /** Links and images at this domain. */
  domain: "link-blocklist",
  "nameless link": "link-names.nameless",
  "vague link": "link-names.vague",
  image: "example-targets.image image-alt image-formats image-weight inline-parts.missing tracking",
  "embedded image": "image-formats.data-uri",
  quote: "placeholders template-text written-dates",
  phrase: "wording.phrases",
  "unsubscribe words": "unsubscribe-link.missing",
  "hidden text": "hidden-text",
  style: "text-contrast",
  "small text": "text-size",
  tag: "active-content.form active-content.frame client-support.element",
  "widest tag": "layout-width.too-wide",
};
export type BodyPlace = keyof typeof bodyPlaces;

export const headerPlaces = {
  from: "display-name freemail-from from-header lookalike-domain reply-address reply-to sender-header",
  authentication: "envelope-sender",
  subject: "fake-reply subject-header subject-style",
  preheader: "preheader",
  attachments:
    "attachment-disguise attachment-refused attachment-risky attachment-type attachment-virus inline-parts.unused",
};
type HeaderPlace = keyof typeof headerPlaces;

/** They are about the whole message, its server, or a header that the evidence names. */
export const unplaced =
  "active-content amp-part auto-reply-conduct client-support dark-mode feedback-id headings html-clipping html-dir html-lang html-structure html-title image-balance invisible-characters layout-width.no-viewport link-hosts list-headers list-id list-unsubscribe one-click postal-address recipient-shown second-opinions style-sheets table-roles urgent-flags wording.shouting";

const inBody = toIndex<BodyPlace>(bodyPlaces);
const inHeader = toIndex<HeaderPlace>(headerPlaces);

function toIndex<Place extends string>(table: Readonly<Record<Place, string>>): ReadonlyMap<string, Place> {
  const places = Object.keys(table) as Place[];
  return new Map(places.flatMap((place) => table[place].split(" ").map((id) => [id, place])));
}

function find<Place>(index: ReadonlyMap<string, Place>, id: string): Place | null {
  return index.get(id) ?? index.get(id.slice(0, id.indexOf("."))) ?? null;
}

/** Null for a finding that has no place in the body. */
export function bodyPlaceOf(id: string): BodyPlace | null {
  return find(inBody, id);
}

const byName: ReadonlyMap<unknown, HeaderPlace> = new Map([
  ["From", "from"],
  ["Sender", "from"],
  ["Reply-To", "from"],
  ["Subject", "subject"],
  ["the subject", "subject"],
  ["the preview text", "preheader"],
]);

type Finding = {
  readonly id: string;
  readonly area: Area;
  readonly occurrences: readonly { readonly evidence: Readonly<Record<string, unknown>> }[];
};

/**
 * The line above the body that shows what the finding is about, also if the body shows it too. Null: the whole message,
 * its server, or only the body.
 */
export function headerPlaceOf({ id, area, occurrences }: Finding): HeaderPlace | null {
  const names = occurrences.flatMap(({ evidence: { header, place, places } }) => [header, place, places].flat());
  const named = names.map((name) => byName.get(name)).find((place) => place !== undefined);
  return find(inHeader, id) ?? named ?? (area === "authentication" ? "authentication" : null);
}
