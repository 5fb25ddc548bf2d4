import type { Image } from "../../mail/links/images.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import { toSize } from "../format/amounts.ts";

const maxBytes = 2_000_000;
const maxBytesOfOne = 1_000_000;

export const imageWeight = defineCheck({
  id: "image-weight",
  helpPage: "fix-images",
  label: "Image weight",
  owner: "content",
  asks: "whether images are small enough to load quickly",
  why: "Large images load slowly on phones. Only attached and embedded images are measured.",
  refs: ["no standard (mail design practice)"],
  needs: ["images"],
  kinds: ["bulk", "transactional"],
  passes: "Attached and embedded images total {bytes}.",
  findings: {
    heavy: {
      severity: "minor",
      cost: 3,
      title: "Heavy images",
      says: "The images total {bytes}. The largest, {largest}, is {size}.",
      fix: "Export images at their display size, and compress them.",
    },
  },
  run({ images }) {
    const bySource = new Map<string, Sized>();
    for (const image of images.list) if (isSized(image)) bySource.set(image.src, image);
    const pictures = [...bySource.values()].sort((one, other) => other.bytes - one.bytes);
    const [largest] = pictures;
    if (!largest) return notApplicable("The message has no attached or embedded images.");
    const bytes = pictures.reduce((sum, picture) => sum + picture.bytes, 0);
    if (bytes <= maxBytes && largest.bytes <= maxBytesOfOne) return passed({ bytes: toSize(bytes) });
    return [
      {
        finding: "heavy",
        data: { bytes: toSize(bytes), largest: toStorableCut(largest.src, 80), size: toSize(largest.bytes) },
        evidence: { pictures: pictures.slice(0, 10).map((picture) => ({ src: picture.src, bytes: picture.bytes })) },
      },
    ];
  },
});

type Sized = Image & { readonly bytes: number };

/** An image with a known size. */
function isSized(image: Image): image is Sized {
  return image.bytes !== null;
}
