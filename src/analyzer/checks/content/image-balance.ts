import { defineCheck, notApplicable } from "../check.ts";
import { areaOf, contentPictures, fewChars, isImageOnly } from "../image-only.ts";

const littleText = 400;
const muchArea = 200_000;

export const imageBalance = defineCheck({
  id: "image-balance",
  helpPage: "fix-images",
  label: "Image-to-text balance",
  owner: "content",
  asks: "whether there is enough text alongside the images",
  why: "Many email clients block images by default, and many filters do not read text in them. No provider publishes a required ratio.",
  refs: ["public filter rules"],
  needs: ["html", "images", "message"],
  kinds: ["bulk", "transactional"],
  passes: "Characters of text: {chars}. Content images: {count}.",
  findings: {
    "image-only": {
      severity: "major",
      title: "Image-only message",
      says: "The message consists almost entirely of images, with {chars} characters of text.",
      fix: "Write the message as text. Use images only to illustrate it.",
    },
    "little-text": {
      severity: "minor",
      cost: 3,
      title: "Large images, little text",
      says: "The message has large images and only {chars} characters of text.",
      fix: "Repeat the content of the images as text.",
    },
  },
  run({ html, images, message }) {
    if (message.isEmpty) return notApplicable("The message is empty.");
    const { visibleChars: chars } = html;
    const pictures = contentPictures(images);
    const area = areaOf(pictures);
    const evidence = { area };
    const data = { chars, count: pictures.length };
    if (isImageOnly(html, images, message)) return [{ finding: "image-only", data, evidence }];
    if (chars === 0) return notApplicable("The HTML has no visible text.");
    if (chars >= fewChars && chars <= littleText && area > muchArea)
      return [{ finding: "little-text", data, evidence }];
    return { passed: data };
  },
});
