// Facts of letters made by hand, as the readers give them.

import type { AlignedSignature, Dkim, DmarcResult } from "../../../../src/analyzer/checks/authentication-facts.ts";
import { known, unknown, type Why } from "../../../../src/analyzer/checks/fact.ts";
import type { Facts, Session } from "../../../../src/analyzer/checks/facts.ts";
import type { MxFact, Row } from "../../../../src/analyzer/checks/infrastructure-facts.ts";
import type { Kind, KindFact } from "../../../../src/analyzer/checks/kind.ts";
import { readPage, toHtml } from "../../../../src/analyzer/mail/html/page.ts";
import { toLinks } from "../../../../src/analyzer/mail/links/links.ts";
import { parseMessage } from "../../../../src/analyzer/mail/mime/parse.ts";
import { claimedSession } from "../../../../src/analyzer/mail/session/session.ts";
import { sureKind } from "../sure-kind.ts";

type Letter = {
  /** In place of the ordinary ones, by name; null leaves one out, a list repeats it. */
  readonly headers?: Readonly<Record<string, string | null | readonly string[]>>;
  readonly text?: string;
  readonly html?: string;
};

const ordinaryHeaders = {
  From: "Ann <ann@sender.example>",
  To: "bob@receiver.example",
  Date: "Sat, 21 Nov 2026 15:00:00 +0000",
  Subject: "Hello",
  "Message-ID": "<1@sender.example>",
  "MIME-Version": "1.0",
};

/** The facts that a letter alone gives. */
export function letterFacts(letter: Letter = {}): Pick<Facts, "message" | "links"> & Partial<Facts> {
  const message = parseMessage(toBytes(letter));
  const page = message.html && readPage(message.html.text);
  return {
    message,
    links: toLinks(page, message.text?.text ?? ""),
    ...(page && message.html ? { html: toHtml(page, message.html) } : {}),
  };
}

function toBytes({ headers = {}, text, html }: Letter): Uint8Array {
  const head = Object.entries({ ...ordinaryHeaders, ...headers }).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : (value ?? [])).map((each) => `${name}: ${each}`),
  );
  return Buffer.from([...head, ...toBody(text, html)].join("\r\n"));
}

function toBody(text: string | undefined, html: string | undefined): string[] {
  const plain = ["Content-Type: text/plain; charset=utf-8", "", text ?? "Hello Bob"];
  if (html === undefined) return plain;
  const marked = ["Content-Type: text/html; charset=utf-8", "", html];
  if (text === undefined) return marked;
  const type = "Content-Type: multipart/alternative; boundary=b";
  return [type, "", "--b", ...plain, "--b", ...marked, "--b--", ""];
}

export function kindFact(kind: Kind, rest: Partial<KindFact> = {}): KindFact {
  const forwarded = known({ is: false, verified: false, by: null, first: null, reasons: [] });
  return { ...sureKind(kind), overridden: false, forwarded, mailingList: false, esp: null, ...rest };
}

export const bulk = kindFact("bulk");
export const listPost = kindFact("bulk", { mailingList: true });

export function sessionFact(mailFrom: string | null, rcptTo = ["bob@receiver.example"]): Session {
  return {
    ...claimedSession({ clientAddress: "192.0.2.1", helo: "mx.sender.example", mailFrom, rcptTo }),
    isPublic: true,
    isLooped: false,
    receivedAt: 0,
    sizeBytes: 1,
    receiver: "assay.example",
    conduct: null,
  };
}

export function mxRow(domain: string, fact: Partial<MxFact> | Why): Row<MxFact> {
  if (typeof fact === "string") return { of: domain, fact: unknown(fact) };
  const addresses = known(["192.0.2.1"]);
  const usual = { exists: true, soa: known(true), wildcard: known(false), nullMx: false, hosts: [], hostsLeftOut: 0 };
  return { of: domain, fact: known({ domain, addresses, ...usual, ...fact }) };
}

export function signature(rest: Partial<AlignedSignature> = {}): AlignedSignature {
  return {
    index: 0,
    result: "pass",
    why: null,
    says: null,
    domain: "sender.example",
    selector: "s",
    identity: null,
    algorithm: "rsa-sha256",
    canon: null,
    headers: ["from", "list-unsubscribe", "list-unsubscribe-post"],
    bodyLength: null,
    bodyBytes: null,
    signedAt: null,
    expiresAt: null,
    key: null,
    aligned: { relaxed: true, strict: true },
    ...rest,
  };
}

export function dkimFact(...signatures: AlignedSignature[]): Dkim {
  return { signatures, best: signatures.length > 0 ? 0 : null, ignored: 0 };
}

export function dmarcFact(result: DmarcResult["result"], alignedBy: DmarcResult["alignedBy"] = []): DmarcResult {
  const rest = { says: null, fromDomain: null, spfAligned: known(false), dkimAligned: known(false) };
  return { result, alignedBy, ...rest, relaxedWouldPass: false, pslEraResult: null, pslOrgDomain: null };
}
