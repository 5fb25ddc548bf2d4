import type { Message } from "../../mail/mime/message.ts";
import type { Raw } from "../../mail/mime/raw.ts";
import { toStorableCut } from "../../mail/text/bounds.ts";
import { defineCheck, passed, type Raised } from "../check.ts";
import { kilobyte, toSize } from "./amounts.ts";
import { maxTold } from "./header-lines.ts";

export const headerSize = defineCheck({
  id: "header-size",
  helpPage: "fix-headers",
  label: "Header size",
  owner: "email-service",
  asks: "whether headers are within size limits",
  why: "Gmail rejects messages whose headers exceed its limits.",
  refs: ["Gmail header limits", "RFC 5321 §4.5.3.1"],
  needs: ["raw", "message"],
  passes: "The headers total {size}.",
  findings: {
    "too-large": {
      severity: "major",
      title: "Headers too large",
      says: "{what} is {size}. Gmail's limit is {limit}.",
      fix: "Remove unnecessary headers that your software adds.",
      gates: [{ provider: "gmail", sender: "any", reply: "552 5.3.4" }],
    },
    "address-too-long": {
      severity: "minor",
      cost: 8,
      title: "Address too long",
      says: "The address {address} is too long ({problem}).",
      fix: "Use a shorter address.",
    },
  },
  run({ raw, message }) {
    const raised = [...findLarge(raw), ...findLongAddresses(message)];
    return raised.length > 0 ? raised : passed({ size: toSize(raw.headerBytes) });
  },
});

const maxSectionBytes = 500 * kilobyte;
const maxHeaders = 5_000;
const maxValueBytes = 32 * kilobyte;
/** Exempt from the limit for one value only. */
const exempt: ReadonlySet<string> = new Set(["to", "cc", "references"]);

function findLarge({ headerBytes, headers }: Raw): Raised<"too-large">[] {
  const large = headers.filter(({ key, rawValue }) => rawValue.length > maxValueBytes && !exempt.has(key));
  return [
    ...(headerBytes > maxSectionBytes ? [tooLarge("The header section", toSize(headerBytes), "500 KB")] : []),
    ...(headers.length > maxHeaders ? [tooLarge("The number of headers", `${headers.length}`, "5000")] : []),
    ...large
      .slice(0, maxTold)
      .map(({ name, rawValue, line, offset }) => ({
        ...tooLarge(toStorableCut(name, 100), toSize(rawValue.length), "32 KB"),
        evidence: { line, offset, bytes: rawValue.length },
      })),
  ];
}

function tooLarge(what: string, size: string, limit: string): Raised<"too-large"> {
  return { finding: "too-large", data: { what, size, limit }, subject: what };
}

/** RFC 5321 §4.5.3.1.1, §4.5.3.1.2: in octets. */
const maxLocalBytes = 64;
const maxDomainBytes = 255;

function findLongAddresses({ from, sender, replyTo, to, cc }: Message): Raised<"address-too-long">[] {
  const found = new Map<string, Raised<"address-too-long">>();
  for (const { address: whole, local, domain, problem: unread } of [from, sender, replyTo, to, cc].flatMap(
    ({ list }) => list,
  )) {
    if (unread !== null || whole.length <= maxLocalBytes) continue;
    const problem = problemOf(local ?? "", domain ?? "");
    const address = toStorableCut(whole, 100);
    if (problem !== null && found.size < maxTold)
      found.set(address, { finding: "address-too-long", data: { address, problem }, subject: address });
  }
  return [...found.values()];
}

function problemOf(local: string, domain: string): string | null {
  const localBytes = Buffer.byteLength(local);
  const domainBytes = Buffer.byteLength(domain);
  if (localBytes > maxLocalBytes) return `${localBytes} bytes before the @, at most ${maxLocalBytes} allowed`;
  return domainBytes > maxDomainBytes ? `${domainBytes} bytes after the @, at most ${maxDomainBytes} allowed` : null;
}
