import type { Images } from "../../mail/links/images.ts";
import type { MessagePart } from "../../mail/mime/message.ts";
import { isEmbeddedType } from "../../mail/mime/tree.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { decodeEscapes } from "../../mail/urls/percent.ts";
import { defineCheck, notApplicable, type Raised } from "../check.ts";
import { arePartsCut, maxTold } from "./header-lines.ts";

export const inlineParts = defineCheck({
  id: "inline-parts",
  helpPage: "fix-encoding",
  label: "Inline images",
  owner: "content",
  asks: "whether inline images are attached",
  why: "A missing inline image shows as a broken image.",
  refs: ["RFC 2387", "RFC 2392"],
  needs: ["images", "message"],
  passes: "All inline images are attached.",
  findings: {
    missing: {
      severity: "minor",
      cost: 8,
      title: "Inline image missing",
      says: "The HTML refers to cid:{cid}, which is not attached.",
      fix: "Attach the image with `Content-ID: <{cid}>`.",
    },
    unused: {
      severity: "info",
      title: "Unused inline part",
      says: "The HTML does not use the inline part {name}.",
      fix: "Remove the part.",
      why: "It makes the message larger, and some email clients list it as an attachment.",
    },
  },
  run({ images, message }) {
    if (!message.html) return notApplicable("The message has no HTML.");
    const shown = cidsIn(images);
    const parts = attachedTo(message.root);
    if (shown.size === 0 && parts.length === 0) return notApplicable("The message has no inline images.");
    const missing = arePartsCut(message) ? [] : findMissing(shown, parts);
    const isWholeKnown = !message.html.isCut && images.list.length >= images.total;
    return [...missing, ...(isWholeKnown ? findUnused(shown, parts) : [])];
  },
});

/** As written and with decoded escapes, because software uses both (RFC 2392). */
function cidsIn({ list }: Images): Map<string, string> {
  const cids = list.filter(({ kind, visible }) => kind === "cid" && visible).map(({ src }) => src.slice("cid:".length));
  return new Map(cids.map((cid) => [cid, decodeEscapes(cid)]));
}

/** All parts with a Content-ID, except those of embedded messages. */
function attachedTo(part: MessagePart): MessagePart[] {
  const inner = isEmbeddedType(part.type) ? [] : part.parts.flatMap(attachedTo);
  return part.cid === null ? inner : [part, ...inner];
}

function findMissing(shown: ReadonlyMap<string, string>, parts: readonly MessagePart[]): Raised<"missing">[] {
  const attached = new Set(parts.map(({ cid }) => cid));
  const missing = [...shown].filter(([written, decoded]) => !attached.has(written) && !attached.has(decoded));
  return missing.slice(0, maxTold).map(([written]) => {
    const cid = toStorableCut(written, 100);
    const evidence = { attached: [...attached].slice(0, maxTold) };
    return { finding: "missing", data: { cid }, subject: `cid:${cid}`, evidence };
  });
}

/** Only images: other files may have an ID and be meant as attachments. */
function findUnused(shown: ReadonlyMap<string, string>, parts: readonly MessagePart[]): Raised<"unused">[] {
  const used = new Set([...shown].flat());
  const unused = parts.filter(
    ({ cid, type, disposition }) =>
      cid !== null && !used.has(cid) && type.startsWith("image/") && disposition !== "attachment",
  );
  return unused.slice(0, maxTold).map(({ cid, filename, path, type, decodedBytes }) => {
    const name = toStorableCut(filename ?? cid ?? path, 100);
    return { finding: "unused", data: { name }, subject: name, evidence: { part: path, type, decodedBytes } };
  });
}
