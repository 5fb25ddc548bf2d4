// What a signature covers: one line of JSON that names the message, the rules, the result, and the hash of each section.

import { z } from "zod";

export const signedFormat = "assay-signed-report/1";

/**
 * In the order of the file. page: the SHA-256 of the HTML before the signed data. summary: what a share without the body
 * shows. findings: what a share shows. dns: the recorded DNS responses. report: the whole report. session: the SMTP session.
 * workspace: what the workspace knew. message: the message in base64.
 */
export const sectionNames = [
  "page",
  "summary",
  "findings",
  "dns",
  "report",
  "session",
  "workspace",
  "message",
] as const;
export type SectionName = (typeof sectionNames)[number];

/** Each copy leaves out more: recipients hides what a share hides, body also hides what quotes the body. */
export const copies = ["none", "recipients", "body"] as const;
export type Copy = (typeof copies)[number];

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const short = z.string().max(500);
const names = z.array(z.enum(sectionNames)).max(sectionNames.length);
const verdict = short.nullable();

const statement = z.looseObject({
  format: z.literal(signedFormat),
  key: z.looseObject({ id: short, x: short }),
  signed_at: short,
  issuer: short,
  test: short,
  received_at: short,
  analyzed_at: short,
  message: z.looseObject({ sha256: hash, bytes: z.int().min(0), source: short }),
  rules: z.looseObject({ assay: short, placement: short.nullable() }),
  result: z.looseObject({ composite: z.number().nullable(), spf: verdict, dkim: verdict, dmarc: verdict }),
  /** The sections that a copy keeps. */
  copies: z.looseObject({ recipients: names, body: names }),
  sections: z.partialRecord(z.enum(sectionNames), hash),
});
export type Statement = z.infer<typeof statement>;

const longestStatement = 20_000;

/** Null if it isn't one. */
export function parseStatement(text: string): Statement | null {
  if (text.length > longestStatement) return null;
  try {
    const reading = statement.safeParse(JSON.parse(text));
    return reading.success ? reading.data : null;
  } catch {
    return null;
  }
}
