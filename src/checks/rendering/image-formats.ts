import type { Image } from "../../mail/links/images.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { countPictures, isContentPicture } from "../image-only.ts";
import { imageFeatures, whoLacks } from "./features.ts";

export const imageFormats = defineCheck({
  id: "image-formats",
  area: "rendering",
  label: "Image formats",
  owner: "content",
  asks: "whether pictures are shown",
  why: "A picture that is not shown is worse than none.",
  refs: ["caniemail.com"],
  needs: ["images"],
  kinds: ["bulk", "transactional", "personal"],
  domain: "no",
  passes: "All programs show the pictures: {pictures}.",
  findings: {
    "data-uri": {
      severity: "minor",
      cost: 8,
      title: "Images embedded as data",
      says: "The HTML itself holds {pictures}; Gmail does not show what is written into it as data:.",
      fix: "Host them, or attach them and refer to them by cid:.",
    },
    unsupported: {
      severity: "minor",
      cost: 3,
      title: "Unsupported image format",
      says: "The picture {src} is {format}, which is not shown in {clients}.",
      fix: "Use PNG or JPEG.",
    },
    insecure: {
      severity: "minor",
      cost: 3,
      title: "Images loaded over insecure http",
      says: "The HTML loads {pictures} by http, which others on the way can read and change.",
      fix: "Use https.",
    },
  },
  run({ images }) {
    const pictures = images.list.filter(({ place }) => picturePlaces.has(place));
    if (pictures.length === 0) return notApplicable("The message shows no pictures.");
    const content = pictures.filter(isContentPicture);
    const raised = [...findData(content), ...findUnsupported(content), ...findInsecure(pictures)];
    return raised.length > 0 ? raised : passed({ pictures: countPictures(pictures.length) });
  },
});

/** Typefaces, sheets and films are no pictures. */
const picturePlaces = new Set(["img", "srcset", "background", "style", "outlook"]);
const maxTold = 10;

function findData(pictures: readonly Image[]): Raised<"data-uri">[] {
  const written = pictures.filter(({ kind }) => kind === "data");
  if (written.length === 0) return [];
  const bytes = written.reduce((sum, picture) => sum + (picture.bytes ?? 0), 0);
  return [{ finding: "data-uri", data: { pictures: countPictures(written.length) }, evidence: { bytes } }];
}

/** One in `<picture>` is what programs show that do not know the others: it must be of a common format itself. */
function findUnsupported(pictures: readonly Image[]): Raised<"unsupported">[] {
  const raised = new Map<string, Raised<"unsupported">>();
  for (const { src, format, kind } of pictures) {
    const slug = imageFeatures.get(format ?? "");
    // Written into the HTML it is told as that.
    if (slug === undefined || format === null || kind === "data" || raised.has(src)) continue;
    const { clients, share } = whoLacks(slug);
    if (clients.length > 0 && raised.size < maxTold)
      raised.set(src, {
        finding: "unsupported",
        subject: src,
        data: { src: toStorableCut(src, 120), format: format.toUpperCase(), clients },
        evidence: { src, share },
      });
  }
  return [...raised.values()];
}

/** Pixels that count the reader have a check of their own. */
function findInsecure(pictures: readonly Image[]): Raised<"insecure">[] {
  const sources = new Set(
    pictures.filter(({ scheme, tracking }) => scheme === "http" && tracking === null).map(({ src }) => src),
  );
  if (sources.size === 0) return [];
  const evidence = { sources: [...sources].slice(0, maxTold) };
  return [{ finding: "insecure", data: { pictures: countPictures(sources.size) }, evidence }];
}
