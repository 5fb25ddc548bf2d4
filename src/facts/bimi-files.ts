// The files behind a BIMI record, the logo and the mark certificate, fetched through the door that is handed in: for a
// domain that somebody monitors or asks about, never because a message named it.

import type { Bimi, BimiCertificate, BimiLogo } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown } from "../checks/fact.ts";
import { toRegistrableDomain } from "../mail/registrable-domain.ts";
import type { FetchDoor, FetchOutcome } from "../system/fetch.ts";
import { isPassingTrouble, whyUnfetched } from "./file-servers.ts";
import { inflateWithin, maxInflatedBytes } from "./inflate.ts";
import { type MarkCertificate, readMarkCertificate } from "./mark-certificate.ts";
import { findSvgProblem } from "./svg-profile.ts";

export type BimiFiles = Pick<Bimi, "logo" | "certificate">;

const timeoutMs = 10_000;
const maxBytes = maxInflatedBytes;
const redirects = 3;

/** `domain`: whose mail is to show the logo. */
export async function fetchBimiFiles(
  { domain, name, l, a }: Pick<Bimi, "domain" | "name" | "l" | "a">,
  door: FetchDoor,
  now: () => number,
): Promise<BimiFiles> {
  const [logo, certificate] = await Promise.all([
    l === null ? null : fetchFile(l, door),
    a === null ? null : fetchFile(a, door),
  ]);
  const names = toAcceptedNames(domain ?? "", name ?? "");
  return {
    logo: logo === null || l === null ? unknown("off") : toLogo(l, logo),
    certificate:
      certificate === null || a === null
        ? unknown("off")
        : toCertificate(a, certificate, { names, fetchedAt: now(), logo: svgIn(logo) }),
  };
}

/** A redirect that leads nowhere we follow it to is told by its own status. */
async function fetchFile(url: string, door: FetchDoor): Promise<FetchOutcome> {
  const first = await door(url, { timeoutMs, maxBytes, redirects: 0 });
  if (!first.ok || first.status < 300 || first.status > 399) return first;
  const last = await door(url, { timeoutMs, maxBytes, redirects });
  return !last.ok && last.failure === "redirect" ? first : last;
}

function toLogo(url: string, outcome: FetchOutcome): Fact<BimiLogo> {
  if (!outcome.ok) {
    const why = whyUnfetched[outcome.failure];
    if (why !== null) return unknown(why);
    const isTooLarge = outcome.failure === "too_large";
    const problem = isTooLarge ? null : "with a certificate that cannot be trusted";
    return known({ url, status: isTooLarge ? 200 : null, bytes: isTooLarge ? null : 0, problem });
  }
  const { status, body } = outcome;
  if (isPassingTrouble(status)) return unknown("silent");
  const bytes = body.length;
  const problem = status === 200 ? findProblem(body) : null;
  return known({ url, status, bytes, problem });
}

function findProblem(body: Uint8Array): string | null {
  const svg = inflateWithin(toBuffer(body));
  return svg === null ? "it cannot be unpacked" : findSvgProblem(svg.toString("utf8"));
}

function svgIn(outcome: FetchOutcome | null): Uint8Array | null {
  return outcome?.ok && outcome.status === 200 ? inflateWithin(toBuffer(outcome.body)) : null;
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

type Expected = {
  readonly names: ReadonlySet<string>;
  readonly fetchedAt: number;
  /** What is served at l=; null where that is not known. */
  readonly logo: Uint8Array | null;
};

function toCertificate(url: string, outcome: FetchOutcome, expected: Expected): Fact<BimiCertificate> {
  const { fetchedAt } = expected;
  const unusable = (problem: string) => known({ url, fetchedAt, endsAt: null, problem });
  if (!outcome.ok) {
    const why = whyUnfetched[outcome.failure];
    // It stands in the middle of a sentence.
    return why === null ? unusable(outcome.problem.replace(/\.$/, "")) : unknown(why);
  }
  const { status, body } = outcome;
  if (isPassingTrouble(status)) return unknown("silent");
  if (status !== 200) return unusable(`the server answers ${status}`);
  const certificate = readMarkCertificate(body);
  if (certificate === null) return unusable("it is no certificate in PEM");
  return known({
    url,
    fetchedAt,
    endsAt: certificate.endsAt,
    problem: findMismatch(certificate, expected),
  });
}

function findMismatch(certificate: MarkCertificate, { names, fetchedAt, logo }: Expected): string | null {
  const { startsAt, endsAt, isForMarks } = certificate;
  if (endsAt <= fetchedAt) return `it ended on ${toDay(endsAt)}`;
  if (startsAt > fetchedAt) return `it begins on ${toDay(startsAt)}`;
  if (!isForMarks) return "it is a certificate of another kind";
  if (!certificate.names.some((name) => names.has(name))) return "it does not name the domain";
  if (logo === null || certificate.logo === null || Buffer.compare(logo, certificate.logo) === 0) return null;
  return "the logo in it is another one";
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The domain or its organisation, with or without the selector before it. */
function toAcceptedNames(domain: string, recordName: string): ReadonlySet<string> {
  const prefix = recordName.slice(0, recordName.indexOf("._bimi.") + 7);
  const domains = [domain, toRegistrableDomain(domain), recordName.slice(prefix.length)];
  return new Set(domains.flatMap((one) => [one, `${prefix}${one}`]));
}
