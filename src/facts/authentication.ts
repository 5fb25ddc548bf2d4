// The one door to mailauth: raw message + session → DKIM and DMARC verdicts, asked through our own resolver, beside our own of SPF.

import { authenticate, type DMARCResult, type DNSResolver } from "mailauth";
import type { SpfResult } from "../checks/authentication-facts.ts";
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
import { checkMailFrom } from "./spf.ts";

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
  const { clientAddress, mailFrom, helo, dataEndedAt } = session;
  const client = { address: clientAddress ?? noAddress, helo, receiver, now: dataEndedAt ?? 0 };
  const spf =
    clientAddress === null || mailFrom === null ? null : await checkMailFrom({ ...client, mailFrom }, dns);
  const verdicts = await authenticate(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), {
    // Without an address mailauth would take one from the Received lines, which anybody can write.
    ip: spf === null ? noAddress : client.address,
    helo: helo ?? "",
    sender: mailFrom ?? "",
    mta: receiver,
    resolver: toResolve(dns) as DNSResolver,
    disableArc: true,
    disableBimi: true,
  });
  const signatures = verdicts.dkim.results.filter(({ signingDomain }) => signingDomain !== undefined);
  const dmarc = toDmarc(verdicts.dmarc);
  const mightHavePassed = spf === null && dmarc.result !== "pass" && dmarc.result !== "none";
  return {
    known: true,
    value: { spf: spf && toSpf(spf), dkim: signatures.map(toDkim), dmarc: mightHavePassed ? null : dmarc },
  };
}

/** RFC 5737: an address that no SPF record names. */
const noAddress = "192.0.2.0";

function toSpf({ result, domain, explanation, problem, record }: SpfResult): SpfVerdict {
  return { result, domain, explanation: explanation ?? problem, record };
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
