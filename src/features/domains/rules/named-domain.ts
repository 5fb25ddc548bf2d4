// Validates a domain name from a request.

import { readSendingDomain } from "../../../analyzer/dns/domain-name.ts";
import { Refusal } from "../../../platform/errors.ts";

const maxNameLength = 253;

export function requireSendingDomain(typed: string): string {
  const reading = readSendingDomain(typed);
  if (reading.ok) return reading.domain;
  const { problem, suggestion } = reading;
  throw new Refusal("invalid_request", problem, { field: "domain", ...(suggestion && { suggestion }) });
}

/** `longestPrefix`: length of the longest record name that must fit in front of it. */
export function requireDomainName(typed: string, longestPrefix: number): string {
  const domain = requireSendingDomain(typed);
  if (longestPrefix + domain.length > maxNameLength)
    throw new Refusal(
      "invalid_request",
      "This name is too long. It leaves no room for names such as _dmarc in front of it.",
      { field: "domain" },
    );
  return domain;
}
