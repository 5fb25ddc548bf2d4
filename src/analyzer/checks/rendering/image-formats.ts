import type { Image } from "../../mail/links/images.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { countPictures, isContentPicture } from "../image-only.ts";
import { imageFeatures, whoLacks } from "./features.ts";

export const imageFormats = defineCheck({
  id: "image-formats",
  helpPage: "fix-images",
  label: "Image formats",
  owner: "content",
  asks: "whether email clients can show the images",
  why: "Readers see a gap where an image is blocked or cannot be shown.",
  refs: ["caniemail.com"],
  needs: ["images"],
  kinds: ["bulk", "transactional", "personal"],
  passes: "No image has a format that is known to fail in common email clients ({pictures}).",
  findings: {
    "data-uri": {
      severity: "minor",
      cost: 8,
      title: "Images embedded as data URIs",
      says: "The HTML embeds {pictures} with data: URIs, which Gmail does not display.",
      fix: "Host the images, or attach them and refer to them with cid: URIs.",
    },
    unsupported: {
      severity: "minor",
      cost: 3,
      title: "Unsupported image format",
      says: "The image {src} is in {format} format, which is not displayed in {clients}.",
      fix: "Use PNG or JPEG.",
    },
    insecure: {
      severity: "minor",
      cost: 3,
      title: "Images loaded over HTTP",
      says: "The HTML loads {pictures} over HTTP, which third parties can read and change.",
      why: "Webmail pages use HTTPS, and browsers may block images that they load over HTTP.",
      fix: "Use HTTPS for images.",
    },
  },
  run({ images }) {
    const pictures = images.list.filter(({ place }) => picturePlaces.has(place));
    if (pictures.length === 0) return notApplicable("The message displays no images.");
    const content = pictures.filter(isContentPicture);
    const raised = [...findData(content), ...findUnsupported(content), ...findInsecure(pictures)];
    return raised.length > 0 ? raised : passed({ pictures: countPictures(pictures.length) });
  },
});

/** Fonts, style sheets and videos are not images. */
const picturePlaces = new Set(["img", "srcset", "background", "style", "outlook"]);
const maxTold = 10;

function findData(pictures: readonly Image[]): Raised<"data-uri">[] {
  const written = pictures.filter(({ kind }) => kind === "data");
  if (written.length === 0) return [];
  const bytes = written.reduce((sum, picture) => sum + (picture.bytes ?? 0), 0);
  return [{ finding: "data-uri", data: { pictures: countPictures(written.length) }, evidence: { bytes } }];
}

/** Includes the `<img>` in a `<picture>`: it is the fallback, so it needs a common format. */
function findUnsupported(pictures: readonly Image[]): Raised<"unsupported">[] {
  const raised = new Map<string, Raised<"unsupported">>();
  for (const { src, format, kind } of pictures) {
    const slug = imageFeatures.get(format ?? "");
    // Images embedded in the HTML are reported by `data-uri`.
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

/** `tracking` judges tracking pixels. */
function findInsecure(pictures: readonly Image[]): Raised<"insecure">[] {
  const sources = new Set(
    pictures.filter(({ scheme, tracking }) => scheme === "http" && tracking === null).map(({ src }) => src),
  );
  if (sources.size === 0) return [];
  const evidence = { sources: [...sources].slice(0, maxTold) };
  return [{ finding: "insecure", data: { pictures: countPictures(sources.size) }, evidence }];
}
