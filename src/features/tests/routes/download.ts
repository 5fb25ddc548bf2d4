// Foreign bytes are only downloaded, never shown in our origin (src/decisions.md, "Strangers' bytes").

import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { type Route, route } from "../../../platform/route.ts";
import { previewTest, readAttachment, readEml } from "../../intake/contract/eml.ts";
import type { Pictures } from "../analysis/view-message.ts";
import { auditedTest } from "../audited.ts";
import { exportTests } from "../contract/export.ts";
import { testFilters } from "../contract/test-filters.ts";
import { readRawMessage } from "../rows/raw-messages.ts";
import type { Became } from "../tables.ts";
import { toOrder, toTestFilter, withinLabel } from "./test-search.ts";

type Download = {
  /** Contains only harmless characters (analyzer/mail/mime/file-names.ts). */
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
};

export function answerDownload({ name, type, content }: Download): Response {
  return new Response(content, {
    headers: { "content-type": type, "content-disposition": toDisposition(name), "content-security-policy": "sandbox" },
  });
}

/**
 * RFC 6266 §4.3: the full name for clients that support RFC 8187, and an ASCII name for the others. The ASCII name has
 * no `%`, because some clients decode it there too (appendix D).
 */
function toDisposition(name: string): string {
  const plain = name.replace(/[^ -~]|["%\\]/gu, "_");
  const whole = plain === name ? "" : `; filename*=UTF-8''${toExtendedValue(name)}`;
  return `attachment; filename="${plain}"${whole}`;
}

/** RFC 8187 §3.2.1: everything except attr-char is escaped. */
function toExtendedValue(text: string): string {
  const toHex = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text.toWellFormed()).replace(/['()*]/g, toHex);
}

/** Content types that are safe to declare for a download. All others, web pages above all, are sent as bytes. */
const harmlessTypes: ReadonlySet<string> = new Set([
  "application/pdf",
  "application/zip",
  "audio/mpeg",
  "image/gif",
  "image/jpeg",
  "image/png",
  "image/webp",
  "text/calendar",
  "text/csv",
  "text/plain",
  "video/mp4",
]);

function toHarmlessType(declared: string): string {
  return harmlessTypes.has(declared) ? declared : "application/octet-stream";
}

export const emlRoutes: readonly Route[] = [
  route(readEml, ({ workspaceId, params: { id } }, { viewer }) => viewer.eml({ workspaceId, testId: id })),

  route(readAttachment, async ({ workspaceId, params: { id, part } }, { viewer }) => {
    const { name, type, content } = await viewer.part({ workspaceId, testId: id }, part);
    return answerDownload({ name, type: toHarmlessType(type), content });
  }).recording({ action: "export.attachment", object: auditedTest, keep: ["part"], effect: "none" }),

  route(previewTest, async ({ workspaceId, params: { id }, query }, { viewer }) => {
    const pictures = picturesOf[query.images];
    const hasPins = query.pins === "1";
    const look = { pictures, dark: query.dark ?? null, hasPins };
    const document = await viewer.preview({ workspaceId, testId: id }, look);
    return new Response(document, {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": previewPolicy(pictures, hasPins),
        "cache-control": "no-store",
      },
    });
  }),
];

const picturesOf = { "0": "own", "1": "all", none: "none" } as const;

const sourcesOf: Readonly<Record<Pictures, string>> = { none: "'none'", own: "data:", all: "data: https:" };

/**
 * A foreign page in our own frame: no scripts, no forms, and only the images that were requested. It has our origin only
 * if our page asks where its pins are.
 */
export function previewPolicy(pictures: Pictures, hasPins: boolean): string {
  return `sandbox${hasPins ? " allow-same-origin" : ""}; default-src 'none'; style-src 'unsafe-inline'; img-src ${sourcesOf[pictures]}; form-action 'none'; frame-ancestors 'self'`;
}

export const exportRoutes: readonly Route[] = [
  route(exportTests, async ({ workspaceId, query, label }, { exportTests, system }) => {
    const { limit, sort, ...filters } = query;
    const filter = withinLabel(toTestFilter(filters, system.now()), label);
    const day = new Date(system.now()).toISOString().slice(0, 10);
    return new Response(await exportTests({ workspaceId, limit, filter, order: toOrder(sort) }), {
      headers: {
        "content-type": "text/csv; charset=utf-8; header=present",
        "content-disposition": toDisposition(`assay-tests-${day}.csv`),
        "content-security-policy": "sandbox",
      },
    });
  }).recording({ action: "export.tests", keep: ["limit", ...Object.keys(testFilters)], effect: "none" }),
];

type StoredMessage = { readonly testId: string; readonly became: Became };

/** `name` is the requested ID. */
export async function answerRawMessage(
  name: string,
  { testId, became }: StoredMessage,
  { readInWorker, messages }: Pick<WorkspaceStore, "readInWorker" | "messages">,
): Promise<Response> {
  const raw = await readRawMessage(readInWorker, messages, testId, became);
  if (!raw) throw new Refusal("not_found", "Message not found.");
  return answerDownload({ name: `${name}.eml`, type: "message/rfc822", content: Buffer.from(raw.bytes) });
}
