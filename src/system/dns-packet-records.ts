// A record of a packet as evidence. Text is Latin-1, one character a byte, as the runtime's own resolver gives it,
// because that loses nothing; not UTF-8, which would turn what is not UTF-8 into question marks.

import { isIPv4, isIPv6 } from "node:net";
import type { Answer, TxtData } from "dns-packet";
import { type DnsRecord, toPrintableName } from "../dns/answer.ts";

/** Null for what cannot be a record of its type: the decoder believes lengths that lie. */
export function toDnsRecord(answer: Answer): DnsRecord | null {
  switch (answer.type) {
    case "A":
      return isIPv4(answer.data) ? { type: "A", address: answer.data } : null;
    case "AAAA":
      return isIPv6(answer.data) ? { type: "AAAA", address: answer.data } : null;
    case "CNAME":
    case "NS":
    case "PTR":
      return { type: answer.type, target: toPrintableName(answer.data) };
    case "MX": {
      const { preference = 0, exchange } = answer.data;
      return { type: "MX", preference, exchange: toPrintableName(exchange) };
    }
    case "TXT":
      return { type: "TXT", parts: toParts(answer.data) };
    case "SOA": {
      const { mname, serial = 0, minimum = 0 } = answer.data;
      return { type: "SOA", primary: toPrintableName(mname), serial, minimum };
    }
    default:
      return toFields(answer);
  }
}

function toParts(text: TxtData): string[] {
  return [text].flat().map((part) => (typeof part === "string" ? part : part.toString("latin1")));
}

function toFields(answer: Answer): DnsRecord | null {
  switch (answer.type) {
    case "TLSA": {
      const { usage, selector, matchingType, certificate } = answer.data;
      return {
        type: "TLSA",
        fields: { usage, selector, matchingType, certificate: certificate.toString("hex") },
      };
    }
    case "CAA": {
      const { flags = 0, tag, value } = answer.data;
      return { type: "CAA", fields: { flags, tag, value } };
    }
    case "DS": {
      const { keyTag, algorithm, digestType, digest } = answer.data;
      return { type: "DS", fields: { keyTag, algorithm, digestType, digest: digest.toString("hex") } };
    }
    case "DNSKEY": {
      const { flags, algorithm, key } = answer.data;
      return { type: "DNSKEY", fields: { flags, algorithm, key: key.toString("base64") } };
    }
    case "SRV": {
      const { priority = 0, weight = 0, port, target } = answer.data;
      return { type: "SRV", fields: { priority, weight, port, target: toPrintableName(target) } };
    }
    default:
      return null;
  }
}
