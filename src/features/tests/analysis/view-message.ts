// Renders stored messages for people, in the analysis thread. Nothing is cached: it would take more space than the
// message and would not benefit from better safety rules.

import { type ClientOutlook, toClientOutlook } from "../../../analyzer/checks/rendering/client-outlook.ts";
import { readInlineParts, toPreview } from "../../../analyzer/mail/content.ts";
import { type Eml, type EmlContent, readPart, toEml, toEmlContent } from "../../../analyzer/mail/eml.ts";
import { type DarkMode, declaresDark } from "../../../analyzer/mail/html/dark-mode.ts";
import { featuresIn } from "../../../analyzer/mail/html/features.ts";
import { maxHtmlLength, readPage, toInboxPreview } from "../../../analyzer/mail/html/page.ts";
import { decodeReferences } from "../../../analyzer/mail/html/references.ts";
import { type SafeHtml, toSafeHtml } from "../../../analyzer/mail/html/safe-html.ts";
import type { Page } from "../../../analyzer/mail/html/visible-content.ts";
import { type Images, toImages } from "../../../analyzer/mail/links/images.ts";
import { toLinks } from "../../../analyzer/mail/links/links.ts";
import { readAttachments } from "../../../analyzer/mail/mime/attachments.ts";
import { toDownloadName } from "../../../analyzer/mail/mime/file-names.ts";
import type { Message } from "../../../analyzer/mail/mime/message.ts";
import { parseMessage } from "../../../analyzer/mail/mime/parse.ts";
import { readRareCharsets } from "../../../analyzer/mail/mime/rare-charsets.ts";
import { hidesMore, type Mask, toBare } from "../../../analyzer/reports/mask.ts";
import { toPins, toTextPins } from "../../../analyzer/reports/pins.ts";
import { createReportMask } from "../../../analyzer/reports/report-mask.ts";
import { parseReport } from "../../../analyzer/reports/stored-report.ts";
import type { KeptMessage } from "../../../platform/database/messages.ts";
import type { PageMail } from "../contract/report-page.ts";
import { decodeRaw } from "../rows/raw-messages.ts";

/** own: images inside the message. all: also remote images, but only over https and without tracking pixels. */
export type Pictures = "none" | "own" | "all";

export type KeptBytes = Pick<KeptMessage, "encoding" | "bytes">;

export type EmlView = Omit<Eml, "body"> &
  Omit<EmlContent, "html_safe" | "html_safe_cut"> & {
    readonly body: Eml["body"] &
      Pick<EmlContent, "html_safe" | "html_safe_cut"> & {
        readonly text_cut: boolean;
        readonly html_cut: boolean;
        readonly html_bytes: number | null;
      };
    readonly preview: string | null;
    readonly client_support: Snake<ClientOutlook> | null;
  };

type Snake<T extends { readonly asOf: string }> = Omit<T, "asOf"> & { readonly as_of: string };

export type PartContent = {
  /** Safe as a file name. */
  readonly name: string;
  /** As declared in the message. */
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
};

export async function viewEml(kept: KeptBytes): Promise<EmlView> {
  const { raw, message, page, inline } = await open(kept);
  const { text, html } = message;
  const safe = html && shorten(toSafeHtml(page, { findCid: inline.find }), message);
  const images = toImages(page, inline.lookUp);
  const links = toLinks(page, text?.text ?? "");
  const { html_safe, html_safe_cut, ...content } = toEmlContent(safe, images, links);
  const { headers, body, attachments } = toEml(raw, message, readAttachments(raw, message));
  const cuts = { text_cut: text?.isCut ?? false, html_cut: html?.isCut ?? false, html_safe_cut };
  const html_bytes = html?.decodedBytes ?? null;
  const client_support = html === null ? null : toSupport(page, images);
  const preview = html ? toInboxPreview(page) : toPreviewOfText(text?.text ?? "");
  return {
    headers,
    body: { ...body, html_safe, ...cuts, html_bytes },
    attachments,
    ...content,
    preview,
    client_support,
  };
}

function toPreviewOfText(text: string): string | null {
  return text.slice(0, 1_000).replace(/\s+/g, " ").trim().slice(0, 140) || null;
}

function toSupport(page: Page, { list }: Images): NonNullable<EmlView["client_support"]> {
  const formats = list.flatMap(({ format }) => format ?? []);
  const { asOf, ...outlook } = toClientOutlook(featuresIn(page), formats);
  return { as_of: asOf, ...outlook };
}

/** `dark`: null if it is shown as sent. */
export type PreviewLook = { readonly pictures: Pictures; readonly dark: DarkMode | null };

export type PreviewOptions = PreviewLook & {
  /** The stored report whose findings are pinned. */
  readonly report: string | null;
};

export async function viewPreview(kept: KeptBytes, { pictures, dark, report }: PreviewOptions): Promise<string> {
  const { message, page, inline } = await open(kept);
  const { subject, text, html } = message;
  const images = pictures === "all";
  const trackingElements = images ? toImages(page).trackingElements : new Set<never>();
  const isBare = pictures === "none";
  const findings = (report && parseReport(report)?.judgment.findings) || [];
  const pins = toPins(findings, page);
  const safeHtml =
    html && toSafeHtml(page, { images, isBare, trackingElements, findCid: inline.find, dark, pins }).html;
  const isLight = dark === "own" && html !== null && !declaresDark(page);
  const plain = text?.text ?? null;
  const textPins = html ? [] : toTextPins(findings, plain ?? "");
  return toPreview({ subject, safeHtml, text: plain, dark: isLight ? null : dark, textPins });
}

export type StillOptions = {
  /** The stored report whose issues are pinned. */
  readonly report: string | null;
  /** Its issues, in the order of their numbers. */
  readonly numbered: readonly string[];
  /** Whose addresses strangers must not see. Null: everything is shown. */
  readonly concealed: { readonly recipients: readonly string[]; readonly seedDomains: readonly string[] } | null;
};

/** A message for a page without scripts: it shows the numbers of its issues itself. */
export type Still = Omit<PageMail, "frame"> & { readonly document: string };

const unmaskable =
  "This message is left out, because it spells out a recipient’s address in a way that can’t be masked.";

export async function viewStill(kept: KeptBytes, { report: json, numbered, concealed }: StillOptions): Promise<Still> {
  const { message, page, inline } = await open(kept);
  const report = json === null ? null : parseReport(json);
  const mask = concealed && createReportMask(report, concealed.recipients, concealed.seedDomains);
  const toShown = (words: string | null) => (mask && words ? mask(words) : words);
  const text = toShown(message.text?.text ?? null) ?? "";
  const findings = report?.judgment.findings ?? [];
  const look = { findCid: inline.find, pins: toPins(findings, page), mask };
  const written = message.html && toSafeHtml(page, look).html;
  const isLeftOut = mask !== null && written !== null && stillNames(written, page, mask);
  const safeHtml = isLeftOut ? null : written;
  const document = toPreview({
    subject: toShown(message.subject),
    safeHtml,
    text: isLeftOut ? unmaskable : text || null,
    dark: null,
    textPins: written === null ? toTextPins(findings, text) : [],
    still: { widthPx: toNeededWidth(page) },
  });
  const preheader = safeHtml === null ? toPreviewOfText(text) : toShown(toInboxPreview(page));
  return { ...numberPins(document, numbered), preheader: isLeftOut ? null : preheader };
}

/** Whether an address shows although each text was masked: in pieces, backwards, or in the places of images. */
function stillNames(written: string, { sight }: Page, mask: Mask): boolean {
  const places = written.replace(/<img(?: [^<>]*)? alt="([^"]*)"[^<>]*>/g, "$1");
  const seen = sight.runs.filter(({ how }) => how === null);
  const joined = [
    ...[written, places].map((html) => decodeReferences(html.replace(/<[^<>]*>/g, ""), false)),
    ...[sight.runs, seen].map((runs) => runs.map((run) => mask(run.text)).join("")),
  ];
  const backwards = /bidi|<bdo/i.test(written) ? joined.map((text) => [...text].reverse().join("")) : [];
  // Two texts side by side may look like a link that they aren’t.
  return [...joined, ...backwards].some((text) => hidesMore(mask, toBare(text).replaceAll("://", " ")));
}

/** Numbers instead of names, each at its first place. An image can't contain one, so it stands after it. */
function numberPins(source: string, numbered: readonly string[]): Pick<Still, "document" | "placed"> {
  const placed: string[] = [];
  const document = source.replace(/<(\w+)((?: [^<>]*)?) data-pin="([^"<>]*)">/g, (_, tag, attributes, names) => {
    const here = numbered.filter((id) => names.split(" ").includes(id) && !placed.includes(id));
    placed.push(...here);
    const pin = here.length === 0 ? "" : ` data-pin="${here.map((id) => numbered.indexOf(id) + 1).join(" ")}"`;
    return `<${tag}${attributes}${pin}>${tag === "img" && pin !== "" ? `<b${pin}></b>` : ""}`;
  });
  return { document, placed };
}

/** 0 if it adapts to its frame. */
function toNeededWidth({ cascade: { sheets }, sight: { widest } }: Page): number {
  const conditions = sheets.flatMap(({ sheet, media }) => [media ?? "", ...sheet.conditions]);
  return widest === null || conditions.some((one) => one.includes("width")) ? 0 : widest.widthPx;
}

/** Null if there is no such part. */
export function viewPart(kept: KeptBytes, path: string): PartContent | null {
  const raw = decodeRaw(kept);
  const found = readPart(raw, parseMessage(raw), path);
  if (!found) return null;
  const { part, content } = found;
  // A copy, because sending a view to another thread would send the whole message.
  return { name: toDownloadName(part), type: part.type, content: new Uint8Array(content) };
}

async function open(kept: KeptBytes) {
  const raw = decodeRaw(kept);
  const message = await readRareCharsets(raw, parseMessage(raw));
  return { raw, message, page: readPage(message.html?.text ?? ""), inline: readInlineParts(raw, message) };
}

/** HTML cut before sanitizing counts as cut too. */
function shorten({ html, isCut }: SafeHtml, { html: source }: Message): SafeHtml {
  const wasCut = source !== null && (source.isCut || source.text.length > maxHtmlLength);
  return { html, isCut: isCut || wasCut };
}
