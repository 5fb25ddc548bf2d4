// Reads a message a second time, with code that shares nothing with our own.

import { simpleParser } from "mailparser";

type SecondReaderInput = { readonly raw: Uint8Array; readonly enter: (phase: "second-parsing") => void };

export async function examineAgain({
  raw,
  enter,
}: SecondReaderInput): Promise<{ readonly subject: string | null }> {
  enter("second-parsing");
  const parsed = await simpleParser(Buffer.from(raw), { skipTextToHtml: true, skipTextLinks: true });
  return { subject: parsed.subject ?? null };
}
