import { defineCheck, notApplicable, skipped } from "../check.ts";
import type { Session } from "../facts.ts";
import { toClient, whyNotHeard } from "./client.ts";

export const tlsUsed = defineCheck({
  id: "tls-used",
  helpPage: "fix-tls",
  label: "TLS encryption",
  owner: "mail-server",
  asks: "whether the session was encrypted",
  why: "Gmail requires TLS, and old TLS versions are retired.",
  refs: ["Gmail sender rules", "RFC 8996", "RFC 9325 §4"],
  needs: ["session"],
  passes: "",
  findings: {
    none: {
      severity: "major",
      title: "Sent without TLS",
      says: "The message arrived unencrypted although STARTTLS was offered.",
      fix: "Turn on opportunistic TLS for outgoing mail (Postfix: `smtp_tls_security_level = may`).",
      gates: [{ provider: "gmail", sender: "bulk", reply: "550 5.7.29 (421 4.7.29 first)" }],
    },
    "old-version": {
      severity: "major",
      title: "Outdated TLS version",
      says: "The session used {version}, which is retired.",
      fix: "Allow TLS 1.2 and 1.3 on the sending server.",
    },
    "weak-cipher": {
      severity: "minor",
      cost: 8,
      title: "Weak TLS cipher",
      says: "The session used {cipher}, which {weakness}.",
      fix: "Prefer ECDHE with AES-GCM or ChaCha20 on the sending server.",
    },
    modern: { severity: "good", title: "Modern TLS", says: "The session used {version} with {cipher}.", fix: null },
  },
  run({ session }) {
    const unheard = whyNotHeard(session);
    if (unheard !== null) return notApplicable(unheard);
    if (session.connectedFrom !== undefined) return skipped("not-seen");
    const client = toClient(session);
    if ("skipped" in client) return client;
    if (session.tls !== null) return judge(session.tls);
    if (session.conduct?.offered.includes("STARTTLS")) return [{ finding: "none" }];
    return notApplicable("STARTTLS was not offered on this connection.");
  },
});

function judge({ version, cipher }: NonNullable<Session["tls"]>) {
  const weakness = weaknessOf(version, cipher);
  const data = { version: toShownVersion(version), cipher };
  const found = [
    ...(isRetired(version) ? [{ finding: "old-version" as const, data }] : []),
    ...(weakness === null ? [] : [{ finding: "weak-cipher" as const, data: { cipher, weakness } }]),
  ];
  return found.length > 0 ? found : [{ finding: "modern" as const, data }];
}

/** OpenSSL's names: SSLv3, TLSv1, TLSv1.1. */
function isRetired(version: string): boolean {
  return /^(?:SSLv[23]|TLSv1(?:\.[01])?)$/.test(version);
}

function toShownVersion(version: string): string {
  return version === "TLSv1" ? "TLS 1.0" : version.replace(/v/, " ");
}

/** `cipher` is OpenSSL's name. TLS 1.3 has no weak ciphers. */
function weaknessOf(version: string, cipher: string): string | null {
  if (/NULL/.test(cipher)) return "encrypts nothing";
  if (/RC4|DES|EXP/.test(cipher)) return "has long been broken";
  if (version === "TLSv1.3" || /^(?:ECDHE|DHE|EDH)-/.test(cipher)) return null;
  return "has no forward secrecy";
}
