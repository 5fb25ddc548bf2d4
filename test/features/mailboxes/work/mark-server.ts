// What stands behind a BIMI record that is in order: a logo, and a certificate for it.

import type { FetchDoor } from "../../../../src/analyzer/facts/fetch.ts";
import { createMarkCertificate } from "../../../analyzer/facts/mark-certificate.ts";

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 64 64"><title>A</title></svg>';
const yearMs = 365 * 86_400_000;

/** Any .svg and any .pem; the certificate is good for a year before and after. */
export function serveMark(domain: string, now: number): FetchDoor {
  const certificate = createMarkCertificate({ names: [domain], startsAt: now - yearMs, endsAt: now + yearMs, svg });
  return async (url) => {
    const body = url.endsWith(".svg") ? svg : certificate;
    const headers = { "content-type": url.endsWith(".svg") ? "image/svg+xml" : "application/pem-certificate-chain" };
    return { ok: true, status: 200, headers, body: Buffer.from(body), address: "203.0.113.80" };
  };
}
