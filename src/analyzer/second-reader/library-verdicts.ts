// What mailauth makes of a message's authentication, over the recorded DNS answers. Its strict mode follows the RFCs,
// as our own code does. Its lenient mode is asked only about signatures that fail, because some receivers are lenient.

import type { Dns } from "../dns/answer.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import { type LibraryDns, toLibraryDns } from "./library-dns.ts";

export type LibrarySignature = {
  readonly domain: string | null;
  readonly selector: string | null;
  readonly result: string;
  readonly comment: string | null;
  /** What lenient mode accepted, if only lenient mode lets it pass. */
  readonly lenient: readonly string[] | null;
};

export type LibraryVerdicts = {
  /** Null if there was nothing to check. */
  readonly spf: string | null;
  readonly dkim: readonly LibrarySignature[];
  readonly arc: string;
  /** Null: the library doesn't evaluate it, because there isn't exactly one author domain. */
  readonly dmarc: string | null;
  /** Null if there is no DMARC record. */
  readonly aligned: { readonly spf: boolean; readonly dkim: boolean } | null;
  readonly isUnanswered: LibraryDns["isUnanswered"];
};

type Verifying = {
  readonly raw: Uint8Array;
  readonly session: Pick<SmtpSession, "clientAddress" | "helo" | "mailFrom">;
  readonly receiver: string;
  /** Signatures expire by this time. */
  readonly judgedAt: number;
  readonly dns: Dns;
};

export async function verifyWithLibrary(input: Verifying): Promise<LibraryVerdicts> {
  // In the bundle, a CommonJS package only has a default export.
  const { default: mailauth } = await import("mailauth");
  const { resolver, isUnanswered } = toLibraryDns(input.dns);
  const message = Buffer.from(input.raw.buffer, input.raw.byteOffset, input.raw.byteLength);
  const { clientAddress: ip, helo, mailFrom } = input.session;
  const sender = mailFrom ?? "";
  const common = { resolver, strict: true, curTime: new Date(input.judgedAt) };
  const verified = await mailauth.dkimVerify(message, { ...common, sender });
  const client = { ip: ip ?? "", helo: helo ?? `[${ip}]`, mta: input.receiver };
  const spf = ip === null || mailFrom === null ? null : await mailauth.spf({ ...client, sender, ...common });
  const arc = verified.arc && (await mailauth.arc(verified.arc as Parameters<typeof mailauth.arc>[0], common));
  const passing = verified.results.filter(({ status }) => status.result === "pass");
  const dmarc = await mailauth.dmarc({
    headerFrom: verified.headerFrom,
    fromFields: (verified as { fromFields?: number }).fromFields,
    spfDomains: spf && spf.status.result === "pass" ? [spf.domain] : [],
    dkimDomains: passing.map((row) => ({ id: row.id, domain: row.signingDomain, aligned: row.status.aligned })),
    arcResult: arc,
    ...common,
  } as unknown as Parameters<typeof mailauth.dmarc>[0]);
  const isFailing = verified.results.some(({ status }) => !/^(pass|none)$/.test(status.result));
  const lenient = isFailing
    ? await mailauth.dkimVerify(message, { ...common, strict: false, sender })
    : { results: [] };
  return {
    spf: spf ? spf.status.result : null,
    dkim: toSignatures(verified.results, lenient.results),
    arc: arc ? arc.status.result : "none",
    dmarc: dmarc ? dmarc.status.result : null,
    aligned: toAligned(dmarc),
    isUnanswered,
  };
}

type Row = Awaited<ReturnType<typeof import("mailauth").dkimVerify>>["results"][number];

/** An unsigned message has one row without a domain. Lenient mode leaves out what it can't process. */
function toSignatures(strict: readonly Row[], lenient: readonly Row[]): LibrarySignature[] {
  const left = [...lenient];
  return strict
    .filter(({ status }) => status.result !== "none")
    .map((row) => {
      const at = left.findIndex(
        ({ signingDomain, selector, bodyHashExpecting }) =>
          signingDomain === row.signingDomain &&
          selector === row.selector &&
          (row.bodyHashExpecting === undefined || bodyHashExpecting === row.bodyHashExpecting),
      );
      const [twin] = at < 0 ? [] : left.splice(at, 1);
      const isLenient = row.status.result !== "pass" && twin?.status.result === "pass";
      return {
        domain: row.signingDomain ?? null,
        selector: row.selector ?? null,
        result: row.status.result,
        comment: typeof row.status.comment === "string" ? row.status.comment : null,
        lenient: isLenient ? ((twin.status as { warnings?: string[] }).warnings ?? []) : null,
      };
    });
}

function toAligned(dmarc: unknown): LibraryVerdicts["aligned"] {
  const { alignment } = (dmarc || {}) as { alignment?: { spf?: { result?: unknown }; dkim?: { result?: unknown } } };
  return alignment ? { spf: Boolean(alignment.spf?.result), dkim: Boolean(alignment.dkim?.result) } : null;
}
