import { expect, test } from "vitest";
import { hasRuleClaims, parseIssuers, type RoleRule, rolesOfClaims } from "../../../src/features/oidc/rules.ts";

const aRule = { when: { groups: "admins" }, role: "owner" };
const anIssuer = { issuer: "https://sso.example.com/realms/main", clientId: "assay", roles: [aRule] };

function problemsOf(issuers: unknown): readonly string[] {
  const reading = parseIssuers(JSON.stringify({ issuers }));
  return reading.ok ? [] : reading.problems;
}

test("the shortest file has an issuer with its client and a rule", () => {
  const reading = parseIssuers(JSON.stringify({ issuers: { company: anIssuer } }));
  expect(reading).toMatchObject({
    ok: true,
    issuers: [
      {
        name: "company",
        label: "company",
        url: anIssuer.issuer,
        clientSecret: null,
        trustEmail: false,
        scopes: ["openid", "email", "profile"],
        emailClaim: "email",
        roles: [{ when: { groups: "admins" }, role: "owner", workspace: null }],
      },
    ],
  });
});

test("all errors in a file are reported at once with their places", () => {
  expect(parseIssuers("[")).toEqual({ ok: false, problems: ["it is not a JSON object"] });
  expect(problemsOf([])).toEqual(['"issuers" is not an object']);
  expect(problemsOf({})).toEqual(['"issuers" is empty']);
  expect(
    problemsOf({
      "Our SSO": { ...anIssuer, secret: "x" },
      plain: { ...anIssuer, issuer: "http://sso.example.com" },
      both: { ...anIssuer, issuer: "https://a.example?x", clientSecret: "a", clientSecretFile: "b" },
      rules: {
        issuer: "https://b.example",
        roles: [{ when: {}, role: "admin" }, { when: "all", role: "owner", if: 1 }, "x"],
      },
      more: { ...anIssuer, issuer: "https://c.example", parameters: { state: "x" }, scopes: "openid", trustEmail: 1 },
      none: 1,
    }),
  ).toMatchSnapshot();
});

test("an issuer can't be listed twice, with or without a trailing slash", () => {
  const twice = { one: anIssuer, two: { ...anIssuer, issuer: `${anIssuer.issuer}/` } };
  expect(problemsOf(twice)).toEqual(['issuers "one" and "two" have the same "issuer"']);
});

test("plain HTTP is allowed only on this machine", () => {
  for (const issuer of ["http://localhost:8081/a", "http://127.0.0.1:1", "http://[::1]:2"])
    expect(problemsOf({ company: { ...anIssuer, issuer } })).toEqual([]);
  for (const issuer of ["http://10.0.0.1", "http://127.0.0.1.evil.example", "ftp://a.example", "https://u@a.example"])
    expect(problemsOf({ company: { ...anIssuer, issuer } })).toHaveLength(1);
});

const rules: readonly RoleRule[] = [
  { when: { groups: "admins" }, role: "owner", workspace: null },
  { when: { groups: "staff" }, role: "member", workspace: null },
  { when: { "realm_access.roles": "tester", hd: "example.com" }, role: "member", workspace: "QA" },
  { when: { "https://example.com/level": "3" }, role: "member", workspace: "Third" },
];

test("a rule needs all of its claims, and the highest role counts", () => {
  const toRoles = (claims: object) => Object.fromEntries(rolesOfClaims(rules, claims as never));
  expect(toRoles({ groups: ["staff", "admins"] })).toEqual({ null: "owner" });
  expect(toRoles({ groups: "staff" })).toEqual({ null: "member" });
  expect(toRoles({ realm_access: { roles: ["tester"] } })).toEqual({});
  expect(toRoles({ realm_access: { roles: ["tester"] }, hd: "example.com" })).toEqual({ QA: "member" });
  expect(toRoles({ "https://example.com/level": 3 })).toEqual({ Third: "member" });
  const strange = [{ groups: [["admins"]] }, { groups: { admins: true } }, { groups: "Admins" }, { groups: null }];
  for (const claims of [{}, ...strange, { __proto__: null }]) expect(toRoles(claims)).toEqual({});
  expect(toRoles(JSON.parse('{"__proto__": {"groups": "admins"}}'))).toEqual({});
});

test("a rule for everyone needs no claim", () => {
  const all = [{ when: {}, role: "member", workspace: null }] as const;
  expect([...rolesOfClaims(all, {})]).toEqual([[null, "member"]]);
  expect([hasRuleClaims(all, {}), hasRuleClaims(rules, { groups: [] }), hasRuleClaims(rules, {})]).toEqual([
    false,
    true,
    false,
  ]);
});
