// Reads the certificate that a mail server shows after STARTTLS. Only for the hosts of a monitored domain, and never because
// a message named them. Only public addresses, one session per host, and no mail is sent.

import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { type Fact, known, unknown } from "../../analyzer/checks/fact.ts";
import type { MxCertificate } from "../../analyzer/checks/infrastructure-facts.ts";
import type { AskCertificate } from "../../analyzer/facts/doors.ts";
import { createLimiter } from "../../analyzer/facts/limiter.ts";
import { lookupIn } from "./http-exchange.ts";
import type { TargetGuard } from "./target-guard.ts";

export type CertificateAskerOptions = {
  readonly guard: TargetGuard;
  readonly now: () => number;
  /** Our name in EHLO. */
  readonly ownName: string;
  /** Default 25. */
  readonly port?: number;
  readonly timeoutMs?: number;
  /** Trusted CAs (default: those of the runtime). */
  readonly ca?: string;
};

const patienceMs = 5_000;
const maxAtOnce = 32;
/** Limit of what the server says before TLS. */
const maxHeard = 8_192;
/** Only characters that cannot end our command line. */
const plainName = /^[\w.-]{1,253}$/;

/** Never rejects. Unknown: it could not be reached, or does not speak SMTP. */
export function createCertificateAsker(options: CertificateAskerOptions): AskCertificate {
  const { timeoutMs = patienceMs } = options;
  const gate = createLimiter(maxAtOnce);
  return async (host) => {
    if (!plainName.test(host)) return unknown("parser-failed");
    if (!(await gate.enter(timeoutMs))) return unknown("budget");
    try {
      const target = await options.guard(host);
      if (!target.ok) return unknown(target.failure === "refused_address" ? "not-public" : "timeout");
      return await ask(host, target.addresses, options);
    } finally {
      gate.leave();
    }
  };
}

function ask(
  host: string,
  addresses: readonly string[],
  { now, ownName, port = 25, timeoutMs = patienceMs, ca }: CertificateAskerOptions,
): Promise<Fact<MxCertificate>> {
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port, lookup: lookupIn(addresses) });
    const timer = setTimeout(() => end(unknown("timeout")), timeoutMs);
    function end(outcome: Fact<MxCertificate>): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    }
    /** Sends QUIT to a server that responded. */
    const part = (channel: Socket, outcome: Fact<MxCertificate>) => {
      resolve(outcome);
      channel.end("QUIT\r\n", () => end(outcome));
    };
    socket.on("error", () => end(unknown("timeout")));
    socket.on("close", () => end(unknown("silent")));
    converse(socket, plainName.test(ownName) ? ownName : "localhost", (offer) => {
      if (offer === "strange") return end(unknown("silent"));
      if (offer === "none") return part(socket, known(withoutTls));
      const secured = connectTls({ socket, servername: host, rejectUnauthorized: false, ...(ca && { ca }) });
      secured.on("error", () => end(known({ certificate: null, problem: "its TLS handshake fails" })));
      secured.on("secureConnect", () => part(secured, readCertificate(secured, host, now())));
    });
  });
}

const withoutTls: MxCertificate = { certificate: null, problem: "it does not offer STARTTLS" };

type Offer = "ready" | "none" | "strange";

/** Greeting, EHLO, STARTTLS (RFC 3207 §4). Calls `tell` once with the result. */
function converse(socket: Socket, ownName: string, tell: (offer: Offer) => void): void {
  const leave = (offer: Offer) => {
    socket.off("data", listen);
    tell(offer);
  };
  const say = (line: string) => {
    socket.write(`${line}\r\n`);
  };
  const steps = [
    { code: "220", next: () => say(`EHLO ${ownName}`) },
    { code: "250", next: (reply: string) => (offersTls(reply) ? say("STARTTLS") : leave("none")) },
    { code: "220", next: () => leave("ready") },
  ];
  let heard = "";
  function listen(chunk: Buffer): void {
    heard += chunk.toString("latin1");
    const reply = wholeReply.exec(heard);
    if (heard.length > maxHeard) leave("strange");
    else if (reply !== null) hear(reply[0], reply[1]);
  }
  function hear(reply: string, code = ""): void {
    const step = steps.shift();
    // Text that arrives before our command must not count as its reply (CVE-2021-38371).
    const isAlone = reply.length === heard.length;
    heard = "";
    if (isAlone && step?.code === code) step.next(reply);
    else leave("strange");
  }
  socket.on("data", listen);
}

const wholeReply = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?: [^\n]*)?\n/;

function offersTls(reply: string): boolean {
  return /^250[- ]STARTTLS\s*$/im.test(reply);
}

const problems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is from an untrusted CA",
  UNABLE_TO_GET_ISSUER_CERT: "its certificate is from an untrusted CA",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is from an untrusted CA",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "it does not send the intermediate certificates",
};

/** Uses only the error code. Text from the other server never becomes part of our sentences. */
function readCertificate(socket: TLSSocket, host: string, seenAt: number): Fact<MxCertificate> {
  const shown = socket.getPeerX509Certificate();
  if (shown === undefined) return unknown("silent");
  const [startsAt, endsAt] = [shown.validFromDate.getTime(), shown.validToDate.getTime()];
  if (Number.isNaN(startsAt) || Number.isNaN(endsAt)) return unknown("silent");
  const isNamed = shown.checkHost(host) !== undefined;
  const code = String((socket.authorizationError as { code?: unknown } | null)?.code ?? socket.authorizationError);
  const isTrusted = socket.authorized || code === "ERR_TLS_CERT_ALTNAME_INVALID";
  const mistrust = isTrusted ? null : (problems[code] ?? "its certificate is not trusted");
  const problem = mistrust ?? (isNamed ? null : "its certificate is for a different host name");
  return known({ certificate: { startsAt, endsAt, seenAt }, problem });
}
