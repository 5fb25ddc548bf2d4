import type { Image } from "../../mail/links/images.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { countPictures, isContentPicture } from "../image-only.ts";

export const imageAlt = defineCheck({
  id: "image-alt",
  helpPage: "fix-images",
  label: "Image alt text",
  owner: "content",
  asks: "whether images have alt text",
  why: "When images are blocked, recipients see only the alt text.",
  refs: ["WCAG 1.1.1"],
  needs: ["images"],
  kinds: ["bulk", "transactional", "personal"],
  passes: "All images have an alt attribute ({pictures}).",
  findings: {
    missing: {
      severity: "minor",
      cost: 3,
      title: "Image without alt text",
      says: "The image {src} has no alt text.",
      fix: 'Add `alt="{suggestion}"`, or `alt=""` for a decorative image.',
    },
    "linked-empty": {
      severity: "minor",
      cost: 3,
      title: "Linked image without alt text",
      says: "The link to {target} contains only an image without alt text.",
      fix: "Add alt text that says where the link goes.",
    },
    "file-name": {
      severity: "info",
      title: "File name as alt text",
      says: 'The alt text of {src} is a file name, "{alt}".',
      fix: "Describe the image instead.",
    },
  },
  run({ images }) {
    const pictures = images.list.filter(isContentPicture);
    if (pictures.length === 0) return notApplicable("The message displays no images.");
    const raised = new Map<string, Raised<Fault>>();
    for (const picture of pictures) {
      const finding = faultOf(picture);
      if (finding === null) continue;
      const told = raise(finding, picture);
      // An image used several times is one issue to fix.
      const key = `${finding} ${told.subject}`;
      if (raised.size < maxTold && !raised.has(key)) raised.set(key, told);
    }
    return raised.size > 0 ? [...raised.values()] : passed({ pictures: countPictures(pictures.length) });
  },
});

type Fault = "missing" | "linked-empty" | "file-name";

const maxTold = 20;
const longestShown = 120;

function faultOf({ alt, linked, isOnlyContentOfLink, linkLabel }: Image): Fault | null {
  if (alt === null) return "missing";
  if (alt === "") return linked && isOnlyContentOfLink && linkLabel === null ? "linked-empty" : null;
  return isFileName(alt) ? "file-name" : null;
}

function raise(finding: Fault, { src, alt, linked }: Image): Raised<Fault> {
  const data = {
    src: src === "" ? "without a source" : toStorableCut(src, longestShown),
    target: toStorableCut(linked ?? "", longestShown),
    alt,
    suggestion: finding === "missing" ? suggestionFor(src) : "",
  };
  const subject = finding === "linked-empty" ? (linked ?? src) : src;
  return { finding, subject, data, evidence: { src, alt, linked } };
}

function isFileName(alt: string): boolean {
  if (alt.length > 200 || /\s/.test(alt)) return false;
  return /\.(?:jpe?g|png|gif|webp|svg|avif|bmp|tiff?|heic)$/i.test(alt) || /^(?:IMG|DSC|DSCN)_?\d{3,}$/i.test(alt);
}

/** The words of the file name, if it has any: `https://a.example/blue-shoe@2x.jpg` → Blue shoe. */
function suggestionFor(src: string): string {
  const file = /([^/?#]{1,80})\.[a-z]{3,4}(?:[?#]|$)/i.exec(src)?.[1] ?? "";
  const words = file
    .replace(/@\dx$/, "")
    .split(/[-_\s.]|%20|(?<=[a-z])(?=[A-Z])/)
    .filter((word) => word.length > 2 && /^(?:[A-Z]?[a-z]{2,19}|[A-Z]{3,20})$/.test(word) && /[aeiouy]/i.test(word));
  const isTelling = words.length > 0 && words.join("").length >= file.length / 2;
  const phrase = words.join(" ").toLowerCase();
  return isTelling ? phrase.charAt(0).toUpperCase() + phrase.slice(1) : "What the image shows";
}
