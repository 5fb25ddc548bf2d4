// How a report's message can be unsubscribed: which ways its headers offer, and whether a receiver may use them. A request
// goes to an address that a stranger wrote, so it needs what RFC 8058 §4 requires: a passing DKIM signature that covers the
// headers. GET links are not among the ways, because opening one may do anything: unsubscribe-visit.ts shows what.

import type { AlignedSignature } from "../checks/authentication-facts.ts";
import type { Fact } from "../checks/fact.ts";
import { readHeaderSection } from "../mail/headers/fields.ts";
import { readListAddresses } from "../mail/headers/list-header.ts";
import { type MailtoMessage, readMailto } from "../mail/headers/mailto.ts";
import type { Report } from "./report.ts";

export const unsubscribeMethods = ["one-click", "mailto"] as const;
export type UnsubscribeMethod = (typeof unsubscribeMethods)[number];

export type OneClickWay = { readonly url: string; readonly host: string; readonly signedBy: string };
type MailtoWay = { readonly message: MailtoMessage; readonly signedBy: string };

/** `why`: a whole sentence. */
type Way<T> = { readonly ok: true; readonly way: T } | { readonly ok: false; readonly why: string };

export type UnsubscribeWays = { readonly oneClick: Way<OneClickWay>; readonly mailto: Way<MailtoWay> };

type Read = Pick<Report, "rawHeaders"> & {
  readonly authentication: { readonly dkim: Report["authentication"]["dkim"] };
};

export function readUnsubscribeWays(report: Read): UnsubscribeWays {
  const list = readHeader(report, "list-unsubscribe");
  if (list.length !== 1) {
    const why =
      list.length === 0
        ? "The message has no List-Unsubscribe header."
        : "The message has more than one List-Unsubscribe header, so receivers can’t know which one counts.";
    return { oneClick: no(why), mailto: no(why) };
  }
  const addresses = readListAddresses(list[0] ?? "");
  const { dkim } = report.authentication;
  return {
    oneClick: readOneClick(addresses.https, readHeader(report, "list-unsubscribe-post"), dkim),
    mailto: readMailtoWay(addresses.mailto, dkim),
  };
}

function readOneClick(
  https: readonly string[],
  posts: readonly string[],
  dkim: Read["authentication"]["dkim"],
): Way<OneClickWay> {
  const [address] = https;
  if (address === undefined) return no("List-Unsubscribe has no https URL.");
  if (https.length > 1)
    return no("List-Unsubscribe has more than one https URL. One-click unsubscribe allows only one.");
  if (posts.length !== 1 || posts[0] !== "List-Unsubscribe=One-Click")
    return no("The message has no List-Unsubscribe-Post header with the value List-Unsubscribe=One-Click.");
  const url = URL.parse(address);
  if (url === null || url.protocol !== "https:" || url.hostname === "" || url.username || url.password)
    return no("The URL in List-Unsubscribe is not a valid https URL.");
  const signer = findSigner(dkim, ["list-unsubscribe", "list-unsubscribe-post"]);
  if (!signer.ok) return signer;
  return { ok: true, way: { url: url.href, host: url.host, signedBy: signer.way } };
}

function readMailtoWay(mailto: readonly string[], dkim: Read["authentication"]["dkim"]): Way<MailtoWay> {
  const [uri] = mailto;
  if (uri === undefined) return no("List-Unsubscribe has no mailto address.");
  const reading = readMailto(uri);
  if (!reading.ok) return no(`The mailto address in List-Unsubscribe ${reading.problem}.`);
  const signer = findSigner(dkim, ["list-unsubscribe"]);
  return signer.ok ? { ok: true, way: { message: reading.message, signedBy: signer.way } } : signer;
}

const headerNames: Readonly<Record<string, string>> = {
  "list-unsubscribe": "List-Unsubscribe",
  "list-unsubscribe-post": "List-Unsubscribe-Post",
};

function findSigner(
  dkim: Fact<{ readonly signatures: readonly AlignedSignature[] }>,
  names: readonly string[],
): Way<string> {
  if (!dkim.known) return no("DKIM could not be checked, so the unsubscribe headers can’t be trusted.");
  // A result that another receiver recorded in the message is not our own.
  const passing = dkim.value.signatures.filter(
    ({ result, recordedBy, assumed }) => result === "pass" && recordedBy === undefined && !assumed,
  );
  if (passing.length === 0)
    return no("No DKIM signature passes, so anyone could have changed the unsubscribe headers.");
  const signer = passing.find(({ headers }) => names.every((name) => headers.includes(name)));
  if (signer?.domain) return { ok: true, way: signer.domain };
  const shown = names.map((name) => headerNames[name]).join(" and ");
  return no(`No passing DKIM signature covers ${shown} (RFC 8058 §4).`);
}

function no(why: string): { readonly ok: false; readonly why: string } {
  return { ok: false, why };
}

function readHeader({ rawHeaders }: Pick<Report, "rawHeaders">, key: string): string[] {
  const { fields } = readHeaderSection(Buffer.from(rawHeaders));
  return fields.filter((field) => field.key === key).map(({ value }) => value.replace(/\r?\n/g, "").trim());
}

/** The web address in List-Unsubscribe that a mail scanner would open. Null if there is none, or more than one header. */
export function readVisitableHeader(report: Pick<Report, "rawHeaders">): string | null {
  const [value = "", ...more] = readHeader(report, "list-unsubscribe");
  const { https, http } = readListAddresses(value);
  return more.length > 0 ? null : (https[0] ?? http[0] ?? null);
}

/** It has a List-Unsubscribe header. */
export function isListMail(report: Pick<Report, "rawHeaders">): boolean {
  return readHeader(report, "list-unsubscribe").length > 0;
}

const longestListId = 250;

/** The identifier in List-Id (RFC 2919 §3), in lower case. Null without a usable one. */
export function readListIdentifier(report: Pick<Report, "rawHeaders">): string | null {
  const [value = "", ...more] = readHeader(report, "list-id");
  const [, written = ""] = /<([^<>]{1,1000})>[^<>]*$/.exec(value) ?? [];
  const id = written.replace(/\s+/g, "").toLowerCase();
  return more.length === 0 && id !== "" && id.length <= longestListId ? id : null;
}
