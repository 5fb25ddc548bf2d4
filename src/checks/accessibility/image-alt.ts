import type { Image } from "../../mail/links/images.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { countPictures, isContentPicture } from "../image-only.ts";

export const imageAlt = defineCheck({
  id: "image-alt",
  area: "accessibility",
  label: "Image alt text",
  owner: "content",
  asks: "whether pictures have a text",
  why: "With pictures off it is all that people see.",
  refs: ["WCAG 1.1.1"],
  needs: ["images"],
  kinds: ["bulk", "transactional", "personal"],
  domain: "no",
  passes: "Every picture has an alt attribute: {pictures}.",
  findings: {
    missing: {
      severity: "minor",
      cost: 3,
      title: "Image without alt text",
      says: "The picture {src} has no alt text.",
      fix: 'Write `alt="{suggestion}"`, or `alt=""` where it only decorates.',
    },
    "linked-empty": {
      severity: "minor",
      cost: 3,
      title: "Linked image without text",
      says: "The link to {href} is a picture without text.",
      fix: "Say in alt where it leads.",
    },
    "file-name": {
      severity: "info",
      cost: 0,
      title: "File name as alt text",
      says: 'The alt text of {src} is a file name, "{alt}".',
      fix: "Describe the picture.",
    },
  },
  run({ images }) {
    const pictures = images.list.filter(isContentPicture);
    if (pictures.length === 0) return notApplicable("The message shows no pictures.");
    const raised = new Map<string, Raised<Fault>>();
    for (const picture of pictures) {
      const finding = faultOf(picture);
      if (finding === null) continue;
      const told = raise(finding, picture);
      // One picture used in many places is one thing to mend.
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
    src: src === "" ? "without an address" : toStorableCut(src, longestShown),
    href: toStorableCut(linked ?? "", longestShown),
    alt,
    suggestion: finding === "missing" ? suggestionFor(src) : "",
  };
  const subject = finding === "linked-empty" ? (linked ?? src) : src;
  return { finding, subject, data, evidence: { src, alt, linked } };
}

function isFileName(alt: string): boolean {
  if (alt.length > 200 || /\s/.test(alt)) return false;
  return (
    /\.(?:jpe?g|png|gif|webp|svg|avif|bmp|tiff?|heic)$/i.test(alt) || /^(?:IMG|DSC|DSCN)_?\d{3,}$/i.test(alt)
  );
}

/** The words of the file's name, where it has some: `https://a.example/blue-shoe@2x.jpg` → Blue shoe. */
function suggestionFor(src: string): string {
  const file = /([^/?#]{1,80})\.[a-z]{3,4}(?:[?#]|$)/i.exec(src)?.[1] ?? "";
  const words = file
    .replace(/@\dx$/, "")
    .split(/[-_\s.]|%20/)
    .filter((word) => /^[a-z]{3,20}$/i.test(word));
  const isTelling = words.length > 0 && words.join("").length >= file.length / 2;
  const phrase = words.join(" ").toLowerCase();
  return isTelling ? phrase.charAt(0).toUpperCase() + phrase.slice(1) : "What the picture shows";
}
