// The domain that a person named in a request.

import { readDomainName } from "../dns/domain-name.ts";
import { Refusal } from "../errors.ts";

const maxNameLength = 253;

/** `longestPrefix`: of the records that are to stand below it. */
export function requireDomainName(typed: string, longestPrefix: number): string {
  const refusal = (problem: string) => new Refusal("invalid_request", problem, { field: "domain" });
  const reading = readDomainName(typed);
  if (!reading.ok) throw refusal(reading.problem);
  if (longestPrefix + reading.domain.length > maxNameLength)
    throw refusal("This name is so long that no record for mail has room below it.");
  return reading.domain;
}
