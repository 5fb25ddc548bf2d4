import type { Received } from "../../mail/headers/delivery-path.ts";
import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { defineCheck, passed, skipped } from "../check.ts";
import type { Fact } from "../fact.ts";
import { isLocalName } from "../party.ts";
import { isHeaderCut, linesNamed, seenIn } from "./header-lines.ts";

export const messageId = defineCheck({
  id: "message-id",
  helpPage: "fix-message-id",
  label: "Message-ID",
  owner: "email-service",
  asks: "whether the message has one valid Message-ID",
  why: "Gmail rejects mail without a valid Message-ID, and threading and bounce matching depend on it.",
  refs: ["RFC 5322 §3.6.4", "Gmail SMTP errors"],
  needs: ["message", "raw"],
  wants: ["history", "received"],
  passes: "Message-ID is {value}[[, which {server} seems to have added]].",
  findings: {
    missing: {
      severity: "major",
      title: "No Message-ID",
      says: "The message has no Message-ID.",
      fix: "Add `Message-ID: <unique-text@{fromDomain}>` in the sending application, with a new unique-text for each message.",
      gates: [{ provider: "gmail", sender: "any", reply: "550 5.7.1" }],
    },
    repeated: {
      severity: "major",
      title: "Multiple Message-ID headers",
      says: "The message has {count} Message-ID headers.",
      fix: "Send only one Message-ID header.",
      gates: [{ provider: "gmail", sender: "any", reply: "550 5.7.1" }],
    },
    invalid: {
      severity: "major",
      title: "Invalid Message-ID",
      says: 'The Message-ID is invalid: "{value}" ({problem}).',
      fix: "Use `<unique-text@{fromDomain}>`.",
      gates: [{ provider: "gmail", sender: "any", reply: "550 5.7.1" }],
    },
    "local-name": {
      severity: "minor",
      cost: 3,
      title: "Local hostname in Message-ID",
      says: 'The Message-ID contains "{host}", which is not a public hostname.',
      fix: "Configure a public hostname in the software that creates the Message-ID.",
      why: "Only a public hostname keeps the ID unique, and spam filters look at it.",
    },
    "several-at-signs": {
      severity: "info",
      title: "Several @ in Message-ID",
      says: "The Message-ID {value} has more than one @.",
      fix: "Use `<unique-text@{fromDomain}>`.",
      why: "RFC 5322 allows one @ outside quotes. Some programs can't read such an ID, so replies are not grouped.",
    },
    reused: {
      severity: "minor",
      cost: 8,
      title: "Reused Message-ID",
      says: "The Message-ID {value} has been used before. Gmail limits repeated IDs (4.7.28).",
      fix: "Create a new Message-ID for every message.",
    },
  },
  run({ message, raw, history, received }) {
    const lines = linesNamed({ raw, message }, "message-id");
    const [line] = lines;
    const domain = message.from.list[0]?.domain ?? "";
    const fromDomain = isLocalName(domain) ? "your-domain.example" : domain;
    if (lines.length > 1) return [{ finding: "repeated", data: { count: lines.length }, evidence: seenIn(lines) }];
    if (!line && isHeaderCut(message)) return skipped("too-large");
    if (!line || line.value === "") return [{ finding: "missing", data: { fromDomain }, evidence: { ...line } }];
    const { value } = line;
    const written = (message.messageId ?? "").trim();
    const problem = problemOf(written);
    if (problem !== null) return [{ finding: "invalid", data: { value, problem, fromDomain }, evidence: line }];
    const host = hostOf(written);
    const isReused = history.known && history.value.sameMessageId > 0;
    const raised = [
      ...(/^<[^"@>]*@[^@>]*@/.test(written)
        ? [{ finding: "several-at-signs" as const, data: { value, fromDomain }, evidence: line }]
        : []),
      ...(isLocal(host) ? [{ finding: "local-name" as const, data: { host }, evidence: line }] : []),
      ...(isReused ? [{ finding: "reused" as const, data: { value }, evidence: line }] : []),
    ];
    return raised.length > 0 ? raised : passed({ value, server: findAdder(host, received) });
  },
});

/** Exchange Online writes its server's name under another zone in Received. */
function findAdder(host: string, received: Fact<Received>): string | null {
  if (!received.known) return null;
  const serverOf = (name: string) => `${name.split(".")[0]}.${toRegistrableDomain(name)}`.toLowerCase();
  const isOwn = (from: string | null, by: string) =>
    from !== null && toRegistrableDomain(from) === toRegistrableDomain(by);
  const adds = received.value.hops.find(
    ({ by, from, reach }) =>
      by !== null && reach === "public" && !isOwn(from, by) && by.includes(".") && serverOf(by) === serverOf(host),
  );
  return adds?.by ?? null;
}

/** Gmail's limit. */
const maxLength = 500;

function problemOf(written: string): string | null {
  if (written.length > maxLength) return `${written.length} characters, Gmail allows ${maxLength}`;
  // Servers that add a Message-ID may append a comment.
  const id = written.replace(/\([^()]*\)$/, "").trimEnd();
  if (!/^<[^<>]*>$/.test(id)) return "it must be one ID in angle brackets";
  if (/\s/.test(id)) return "it contains a space";
  return /[^<]@[^>]/.test(id) ? null : "it must have text on both sides of the @";
}

function hostOf(written: string): string {
  const id = written.slice(0, written.indexOf(">"));
  return id.slice(id.lastIndexOf("@") + 1);
}

function isLocal(host: string): boolean {
  const isAddress = host.startsWith("[") || host.includes(":") || /^[\d.]+$/.test(host);
  return isAddress || isLocalName(host);
}
