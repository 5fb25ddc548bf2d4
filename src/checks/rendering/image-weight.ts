import type { Image } from "../../mail/links/images.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, passed } from "../check.ts";
import { toSize } from "../format/amounts.ts";

const maxBytes = 2_000_000;
const maxBytesOfOne = 1_000_000;

export const imageWeight = defineCheck({
  id: "image-weight",
  area: "rendering",
  label: "Image weight",
  owner: "content",
  asks: "whether pictures load fast",
  why: "Large pictures load slowly on phones. Only those that the message brings along are weighed.",
  refs: ["no standard (mail design practice)"],
  needs: ["images"],
  kinds: ["bulk", "transactional"],
  domain: "no",
  passes: "The pictures that the message brings along have {bytes}.",
  findings: {
    heavy: {
      severity: "minor",
      cost: 3,
      title: "Heavy images",
      says: "The pictures have {bytes} in all; {largest} alone has {size}.",
      fix: "Export them at the size they are shown in, and compress them.",
    },
  },
  run({ images }) {
    const bySource = new Map<string, Sized>();
    for (const image of images.list) if (isSized(image)) bySource.set(image.src, image);
    const pictures = [...bySource.values()].sort((one, other) => other.bytes - one.bytes);
    const [largest] = pictures;
    if (!largest) return notApplicable("The message brings no pictures along.");
    const bytes = pictures.reduce((sum, picture) => sum + picture.bytes, 0);
    if (bytes <= maxBytes && largest.bytes <= maxBytesOfOne) return passed({ bytes: toSize(bytes) });
    return [
      {
        finding: "heavy",
        data: { bytes: toSize(bytes), largest: toStorableCut(largest.src, 80), size: toSize(largest.bytes) },
        evidence: {
          pictures: pictures.slice(0, 10).map((picture) => ({ src: picture.src, bytes: picture.bytes })),
        },
      },
    ];
  },
});

type Sized = Image & { readonly bytes: number };

/** Two data: addresses may begin alike; what is told of them is the beginning. */
function isSized(image: Image): image is Sized {
  return image.bytes !== null;
}
