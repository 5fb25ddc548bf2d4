import { expect, test } from "vitest";
import { parseIssuers, rolesOfClaims } from "../../../../src/features/oidc/rules.ts";
import { readSaidEmail, trustedClaims } from "../../../../src/features/oidc/work/arrive.ts";

test.each([["email"], ["upn"], ["ids.email"]])("an unverified email address in %s gives no role", (claim) => {
  const roles = [{ when: { [claim]: "boss@example.com" }, role: "owner" }];
  const read = (trustEmail: boolean) => {
    const issuer = { issuer: "https://id.example", clientId: "assay", emailClaim: claim, trustEmail, roles };
    const reading = parseIssuers(JSON.stringify({ issuers: { company: issuer } }));
    const [parsed] = reading.ok ? reading.issuers : [];
    if (parsed === undefined) throw new Error("The issuer wasn't read.");
    const address = "boss@example.com";
    const claims = { sub: "eve", email: address, upn: address, ids: { email: address } };
    const trusted = trustedClaims(parsed, claims, readSaidEmail(parsed, claims));
    return [...rolesOfClaims(parsed.roles, trusted)];
  };
  expect(read(false)).toEqual([]);
  expect(read(true)).toEqual([[null, "owner"]]);
});
