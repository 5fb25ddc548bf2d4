// Facts of format checks: read from letters made by hand, byte for byte; sessions made up.

import type {
  AlignedSignature,
  Dkim,
  DkimWhy,
  DmarcResult,
} from "../../../../src/analyzer/checks/authentication-facts.ts";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { Facts, Session } from "../../../../src/analyzer/checks/facts.ts";
import type { KindFact } from "../../../../src/analyzer/checks/kind.ts";
import { readInlineParts } from "../../../../src/analyzer/mail/content.ts";
import { readPage, toHtml } from "../../../../src/analyzer/mail/html/page.ts";
import { toImages } from "../../../../src/analyzer/mail/links/images.ts";
import { readMessage } from "../../../../src/analyzer/mail/mime/parse.ts";
import { claimedSession } from "../../../../src/analyzer/mail/session/session.ts";
import { letter, ordinaryHead } from "../../mail/letter.ts";
import { sureKind } from "../sure-kind.ts";

export const receivedAt = Date.UTC(2026, 10, 21, 15, 0, 5);

export type Given = Pick<Facts, "message" | "raw" | "html" | "images">;

/** What the reader makes of the lines, with the HTML and its pictures. */
export function given(...lines: readonly string[]): Given {
  return givenBytes(letter(...lines));
}

export function givenBytes(bytes: Uint8Array): Given {
  const { message, raw } = readMessage(bytes);
  const text = message.html?.text ?? "";
  const page = readPage(text);
  const html = toHtml(page, { text });
  return { message, raw, html, images: toImages(page, readInlineParts(bytes, message).lookUp) };
}

/** An ordinary message with these lines in place of the headers named. */
export function instead(keys: string, ...lines: readonly string[]): Given {
  const gone = keys.toLowerCase().split(" ");
  const rest = ordinaryHead.filter((line) => !gone.includes(line.slice(0, line.indexOf(":")).toLowerCase()));
  return given(...lines, ...rest, "", "Hello Bob.", "");
}

/** An ordinary head before this body, which brings its own Content- fields. */
export function withBody(...lines: readonly string[]): Given {
  return given(...ordinaryHead, ...lines);
}

/** By SMTP from a public address. */
export function session(changes: Partial<Session> = {}): Session {
  return {
    ...claimedSession({
      clientAddress: "192.0.2.1",
      helo: "mail.sender.example",
      mailFrom: "ann@sender.example",
      rcptTo: ["bob@receiver.example"],
    }),
    door: { kind: "smtp" },
    protocol: "ESMTPS",
    isPublic: true,
    isLooped: false,
    receivedAt,
    sizeBytes: 1_000,
    receiver: "mx.receiver.example",
    conduct: { esmtp: true, offered: [], declares8Bit: false, declaredSizeBytes: null },
    ...changes,
  };
}

export const upload = session({ door: { kind: "upload" }, rcptTo: [], conduct: null });

export function kind(forwarded: Partial<Extract<KindFact["forwarded"], { known: true }>["value"]> = {}): KindFact {
  const none = { is: false, verified: false, by: null, first: null, reasons: [] };
  return {
    ...sureKind("transactional"),
    overridden: false,
    forwarded: known({ ...none, ...forwarded }),
    mailingList: false,
    esp: null,
  };
}

export function dkim(...signatures: readonly Pick<AlignedSignature, "result" | "why" | "aligned">[]): Dkim {
  const full = signatures.map(
    (signature, index): AlignedSignature => ({
      index,
      says: null,
      domain: "sender.example",
      selector: "s",
      identity: null,
      algorithm: "rsa-sha256",
      canon: null,
      headers: [],
      bodyLength: null,
      bodyBytes: null,
      signedAt: null,
      expiresAt: null,
      key: null,
      ...signature,
    }),
  );
  return { signatures: full, best: null, ignored: 0 };
}

export const aligned = { relaxed: true, strict: true };
export const foreign = { relaxed: false, strict: false };
export const passes = { result: "pass", why: null, aligned } as const;
export function fails(why: DkimWhy) {
  return { result: "fail", why, aligned } as const;
}

export function dmarcResult(changes: Partial<DmarcResult>): DmarcResult {
  return {
    result: "pass",
    says: null,
    fromDomain: "sender.example",
    alignedBy: ["dkim"],
    spfAligned: unknown("timeout"),
    dkimAligned: known(true),
    relaxedWouldPass: false,
    pslEraResult: null,
    pslOrgDomain: null,
    ...changes,
  };
}
