// What the operator says on the public page, and how much it may take.

import { z } from "zod";
import { readEmail } from "../../../platform/contract/emails.ts";

/** A picture in the page itself, so that the page asks no other host. Not SVG, which can contain scripts. */
const picture = z
  .string()
  .max(140_000, "The logo is larger than 100 KB. Make it smaller.")
  .regex(
    /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/,
    "The logo must be a PNG, JPEG, WebP, or GIF.",
  );

const line = (most: number) => z.string().trim().min(1).max(most).nullable();

/** An address for mail or a page, because it becomes a link. */
const contact = z
  .string()
  .trim()
  .max(200)
  .refine((text) => toContactLink(text) !== null, "Enter an email address or an https:// URL.");

export const publicPage = z.strictObject({
  name: line(60).describe("Shown instead of “Assay”."),
  logo: picture.nullable().describe("As a `data:` URL with a PNG, JPEG, WebP, or GIF of at most 100 KB."),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "Use a color such as #174a94.")
    .nullable()
    .describe("Of the main button. Its text becomes black or white, whichever is easier to read."),
  sentence: line(300).describe("Below the headline."),
  contact: contact.nullable().describe("An email address or an https:// URL, for visitors with questions."),
  stored: line(600).describe("What is stored and for how long. `null`: Assay’s own sentence."),
  runYourOwn: z.boolean().describe("Whether the page has a link to Assay."),
  showsContent: z.boolean().describe("Whether owners see sender and subject of the newest results."),
  keepDays: z
    .int()
    .min(1)
    .max(30)
    .describe("Days until a report is deleted. That of a message over 1 MB is deleted sooner."),
  mostMegabytes: z.int().min(10).max(1_000_000).describe("How much all messages and reports may take."),
  testsPerHour: z.int().min(1).max(10_000).describe("Tests an hour from one IPv4 address or IPv6 /64 network."),
});
export type PublicPage = z.infer<typeof publicPage>;

export const defaultPage: PublicPage = {
  name: null,
  logo: null,
  color: null,
  sentence: null,
  contact: null,
  stored: null,
  runYourOwn: true,
  showsContent: false,
  keepDays: 7,
  mostMegabytes: 1_024,
  testsPerHour: 20,
};

const dayMs = 86_400_000;
/** Almost all newsletters are smaller. */
const fullBytes = 1_000_000;

/** When its report is deleted. A larger message ends sooner, or a few visitors could take all the space for days. */
export function toEnd({ keepDays }: Pick<PublicPage, "keepDays">, at: number, bytes: number): number {
  return at + Math.floor((keepDays * dayMs) / Math.max(1, bytes / fullBytes));
}

/** Null: neither an email address nor a URL. */
export function toContactLink(text: string): string | null {
  if (/^https:\/\/[^\s"<>]+$/i.test(text)) return URL.canParse(text) ? text : null;
  return readEmail(text) === undefined ? null : `mailto:${encodeURI(text)}`;
}

/** The color of text on this background (WCAG 2.2, relative luminance): the one with more contrast. */
export function inkOn(color: string): "#000" | "#fff" {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
}
