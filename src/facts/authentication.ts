// The one door to mailauth: raw message + session → SPF, DKIM and DMARC verdicts, asked through our own resolver.

import { authenticate, type DMARCResult, type DNSResolver, type SPFResult } from "mailauth";
import type { Dns } from "../dns/answer.ts";
import { headerLength, maxHeaderBytes } from "../mail/parse.ts";
import type { SmtpSession } from "../mail/session.ts";
import type {
  Authentication,
  DkimVerdict,
  DmarcVerdict,
  Known,
  ResultWord,
  SpfVerdict,
} from "../reports/report.ts";
import { toResolve } from "../system/dns-resolve.ts";

export async function gatherAuthentication(
  raw: Uint8Array,
  session: SmtpSession,
  receiver: string,
  dns: Dns,
): Promise<Known<Authentication>> {
  // mailauth folds headers in quadratic time: 800 KB of folds hold the thread for more than a minute.
  if (headerLength(raw) > maxHeaderBytes)
    return {
      known: false,
      why: `The header section is over ${maxHeaderBytes / 1024} KB, too long to authenticate.`,
    };
  const spfIsKnown = session.clientAddress !== null && session.mailFrom !== null;
  const verdicts = await authenticate(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), {
    // Without an address mailauth would take one from the Received lines, which anybody can write.
    ip: spfIsKnown ? (session.clientAddress ?? noAddress) : noAddress,
    helo: session.helo ?? "",
    sender: session.mailFrom ?? "",
    mta: receiver,
    resolver: toResolve(dns) as DNSResolver,
    disableArc: true,
    disableBimi: true,
  });
  const signatures = verdicts.dkim.results.filter(({ signingDomain }) => signingDomain !== undefined);
  const spf = spfIsKnown ? toSpf(verdicts.spf) : null;
  const dmarc = toDmarc(verdicts.dmarc);
  const mightHavePassed = spf === null && dmarc.result !== "pass" && dmarc.result !== "none";
  return {
    known: true,
    value: { spf, dkim: signatures.map(toDkim), dmarc: mightHavePassed ? null : dmarc },
  };
}

/** RFC 5737: an address that no SPF record names. */
const noAddress = "192.0.2.0";

function toSpf(spf: SPFResult | false): SpfVerdict {
  if (!spf) return { result: "none", domain: null, explanation: null, record: null };
  return {
    result: toWord(spf.status.result),
    domain: spf.domain || null,
    explanation: spf.status.comment ?? null,
    record: spf.rr ?? null,
  };
}

type Signature = Awaited<ReturnType<typeof authenticate>>["dkim"]["results"][number];

function toDkim(signature: Signature): DkimVerdict {
  return {
    result: toWord(signature.status.result),
    domain: signature.signingDomain || null,
    selector: signature.selector || null,
    aligned: Boolean(signature.status.aligned),
    explanation: signature.status.comment ?? null,
  };
}

function toDmarc(dmarc: DMARCResult | false): DmarcVerdict {
  if (!dmarc) return { result: "none", policy: null, domain: null, record: null };
  return {
    result: toWord(dmarc.status.result),
    policy: dmarc.policy ?? null,
    domain: dmarc.domain ?? null,
    record: dmarc.rr ?? null,
  };
}

/** mailauth's own extra words fold into those of RFC 8601. */
function toWord(word: string): ResultWord {
  if (word === "temperr") return "temperror";
  if (word === "skipped" || word === "declined") return "none";
  return word as ResultWord;
}
