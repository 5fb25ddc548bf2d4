// Validates a domain name from a request.

import { readDomainName } from "../dns/domain-name.ts";
import { Refusal } from "../errors.ts";

const maxNameLength = 253;

/** `longestPrefix`: length of the longest record name that must fit in front of it. */
export function requireDomainName(typed: string, longestPrefix: number): string {
  const refusal = (problem: string) => new Refusal("invalid_request", problem, { field: "domain" });
  const reading = readDomainName(typed);
  if (!reading.ok) throw refusal(reading.problem);
  if (longestPrefix + reading.domain.length > maxNameLength)
    throw refusal("This name is too long. It leaves no room for names such as _dmarc in front of it.");
  return reading.domain;
}
