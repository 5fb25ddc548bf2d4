import { describe, expect, test } from "vitest";
import { known } from "../../../src/analyzer/checks/fact.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { gatherDmarc } from "../../../src/analyzer/facts/dmarc.ts";
import { chooseOrgDomain, gatherOrgDomain, toWalkNames } from "../../../src/analyzer/facts/dmarc-walk.ts";
import { countQuestions, judgeMessage, readProofs, spf, toZone } from "./dmarc-world.ts";

const gather = async (domain: string, zone: Zone) => {
  const fact = await gatherDmarc(domain, createZoneDns(zone));
  if (!fact.known) throw new Error(`unknown: ${fact.why}`);
  return fact.value;
};

describe("the DMARC tree walk (RFC 9989 §4.10)", () => {
  test("the DMARC tree walk makes at most eight queries, as in the RFC's example", () => {
    expect(toWalkNames("a.b.c.d.e.f.g.h.i.j.mail.example.com")).toEqual([
      "a.b.c.d.e.f.g.h.i.j.mail.example.com",
      "g.h.i.j.mail.example.com",
      "h.i.j.mail.example.com",
      "i.j.mail.example.com",
      "j.mail.example.com",
      "mail.example.com",
      "example.com",
      "com",
    ]);
  });

  test.each([
    ["com", 1],
    ["example.com", 2],
    ["f.e.d.c.b.example.com", 7],
    ["g.f.e.d.c.b.example.com", 8],
    ["h.g.f.e.d.c.b.example.com", 8],
  ])("the DMARC tree walk for %s makes %i queries", async (domain, count) => {
    const dns = countQuestions({});
    await gatherOrgDomain(domain, dns);
    expect(dns.asked).toHaveLength(count);
    expect(new Set(dns.asked).size).toBe(count);
  });

  test.each([
    ["records at two levels", { "mail.b.example": "p=none", "b.example": "p=none" }, "b.example"],
    ["psd=n below", { "mail.b.example": "p=none; psd=n", "b.example": "p=none" }, "mail.b.example"],
    ["psd=y at the top", { example: "p=none; psd=y" }, "b.example"],
    ["no record", {}, "a.mail.b.example"],
    ["psd=y at the beginning", { "a.mail.b.example": "p=none; psd=y" }, "a.mail.b.example"],
    ["two records at one name", { "b.example": ["p=none", "p=none"], "mail.b.example": "p=none" }, "mail.b.example"],
    ["a record that is not a tag list", { "b.example": "p=none; p=none" }, "a.mail.b.example"],
    ["a record without a policy", { "b.example": "psd=n" }, "b.example"],
  ])("the DMARC tree walk finds the organizational domain: %s", async (_, policies, orgDomain) => {
    const fact = await gatherOrgDomain("a.mail.b.example", createZoneDns(toZone(policies)));
    expect(fact).toEqual({ known: true, value: orgDomain });
  });

  test("the DMARC tree walk gives an unknown organizational domain if DNS fails above the last record", async () => {
    const dns = createZoneDns(toZone({ "b.example": "p=none", example: "servfail" }));
    expect(await gatherOrgDomain("b.example", dns)).toEqual({ known: false, why: "servfail" });
  });

  test("the DMARC tree walk skips names too long for DNS and treats them as names without a record", async () => {
    const domain = `${"x".repeat(60)}.${"y".repeat(60)}.${"z".repeat(60)}.${"w".repeat(60)}.example`;
    const dns = countQuestions({});
    expect(await gatherOrgDomain(domain, dns)).toEqual({ known: true, value: domain });
    expect(dns.asked).toHaveLength(4);
  });

  test("the DMARC tree walk without steps returns the domain itself", () => {
    expect(chooseOrgDomain("a.example", [])).toBe("a.example");
  });
});

describe("the DMARC fact", () => {
  test("the DMARC fact lists each name of the tree walk with its record, and the record that applies", async () => {
    const zone = toZone({ "a.example": "p=reject; sp=quarantine; t=y" }, ["news.a.example"]);
    expect(await gather("news.a.example", zone)).toMatchObject({
      domain: "news.a.example",
      name: "_dmarc.news.a.example",
      foundAt: "a.example",
      orgDomain: { known: true, value: "a.example" },
      recordsAt: "a.example",
      records: ["v=DMARC1; p=reject; sp=quarantine; t=y"],
      record: "v=DMARC1; p=reject; sp=quarantine; t=y",
      tags: { p: "reject", sp: "quarantine", t: true },
      policy: "quarantine",
      effective: "none",
      isSubdomain: true,
      exists: { known: true, value: true },
      apexRecord: null,
      spfInPlace: null,
      walk: [
        { name: "_dmarc.news.a.example", record: null },
        { name: "_dmarc.a.example", record: "v=DMARC1; p=reject; sp=quarantine; t=y" },
        { name: "_dmarc.example", record: null },
      ],
    });
  });

  test("the DMARC fact joins the strings of a record without a space (§4.5)", async () => {
    const zone = { "_dmarc.a.example": { TXT: [["v=DMA", "RC1; p=rej", "ect"]] } };
    expect(await gather("a.example", zone)).toMatchObject({ policy: "reject" });
  });

  test("the DMARC fact shows several records at one name, which cancel each other", async () => {
    const zone = toZone({ "a.example": ["p=none", "p=reject"] });
    expect(await gather("mail.a.example", zone)).toMatchObject({
      foundAt: null,
      record: null,
      recordsAt: "a.example",
      records: ["v=DMARC1; p=none", "v=DMARC1; p=reject"],
    });
  });

  test("the DMARC fact shows the domain's own unreadable record even if a parent's record applies", async () => {
    const zone = toZone({ "mail.a.example": "=v=dmarc1; p=none", "a.example": "p=reject; pct=1" });
    const { recordsAt, foundAt, faults } = await gather("mail.a.example", zone);
    expect({ recordsAt, foundAt }).toEqual({ recordsAt: "mail.a.example", foundAt: "a.example" });
    expect(faults.map(({ kind }) => kind)).toEqual(["unreadable", "obsolete-tag"]);
  });

  test("the DMARC fact finds a record at the domain itself, and an SPF record at the DMARC name", async () => {
    const zone = { "a.example": { TXT: ["v=DMARC1; p=reject"] }, "_dmarc.a.example": { TXT: ["v=spf1 -all"] } };
    expect(await gather("a.example", zone)).toMatchObject({
      foundAt: null,
      apexRecord: "v=DMARC1; p=reject",
      spfInPlace: "v=spf1 -all",
    });
  });

  test.each(["v=dmarc1; p=none", '"v = DMARC1; p=none', "v: =dmarc1"])(
    "the DMARC fact treats %s at the domain itself as a misplaced DMARC record",
    async (written) => {
      const zone = { "a.example": { TXT: [written] } };
      expect(await gather("a.example", zone)).toMatchObject({ apexRecord: written });
    },
  );

  test("the DMARC fact has no policy if the record does not request one", async () => {
    expect(await gather("a.example", toZone({ "a.example": "p=wrong" }))).toMatchObject({
      foundAt: "a.example",
      policy: null,
      effective: null,
      faults: [{ kind: "no-policy", value: "wrong" }],
    });
  });

  test.each([
    ["an address", { "x.a.example": { A: ["192.0.2.1"] } }, true],
    ["any other record at the name", { "x.a.example": { TXT: ["x"] } }, true],
    ["a name below it", { "y.x.a.example": { A: ["192.0.2.1"] } }, true],
    ["an alias of a missing name", { "x.a.example": { CNAME: ["gone.example"] } }, true],
    ["nothing", {}, false],
  ])("the DMARC fact shows that a domain exists by %s: %s", async (_, zone, exists) => {
    const policies = toZone({ "a.example": "p=none; np=reject" });
    expect(await gather("x.a.example", { ...policies, ...zone })).toMatchObject({
      exists: { known: true, value: exists },
      policy: exists ? "none" : "reject",
    });
  });

  test("the DMARC fact uses the weaker policy while DNS does not say whether the domain exists", async () => {
    const zone = { ...toZone({ "a.example": "p=reject; np=quarantine" }), "x.a.example": { A: "timeout" } } as const;
    expect(await gather("x.a.example", zone)).toMatchObject({
      exists: { known: false, why: "timeout" },
      policy: "quarantine",
    });
  });

  test("the DMARC fact is unknown if DNS does not answer for a record that might apply", async () => {
    const dns = createZoneDns(toZone({ "a.example": "refused" }));
    expect(await gatherDmarc("mail.a.example", dns)).toEqual({ known: false, why: "refused" });
  });
});

describe("DMARC report addresses", () => {
  const targets = async (rua: string, zone: Zone, domain = "a.example") =>
    (await gather(domain, { ...toZone({ "a.example": `p=none; rua=${rua}` }), ...zone })).reportTargets;
  const mx = { MX: [{ preference: 10, exchange: "mx.b.example" }] };
  const consent = { TXT: ["v=DMARC1"] };

  test("DMARC report addresses need no authorization within the organization", async () => {
    expect(await targets("mailto:d@a.example,mailto:d@r.a.example", { "a.example": mx })).toMatchObject([
      { list: "rua", host: "a.example", external: false, authorised: { value: true }, receivesMail: { value: true } },
      { host: "r.a.example", external: false, authorised: { value: true }, receivesMail: { value: false } },
    ]);
  });

  test("DMARC report addresses at another organization need authorization under the record's name (RFC 9990 §4)", async () => {
    const zone = { "b.example": mx, "a.example._report._dmarc.b.example": consent };
    expect(await targets("mailto:d@b.example!10m", zone, "mail.a.example")).toMatchObject([
      { uri: "mailto:d@b.example", external: true, authorised: { known: true, value: true } },
    ]);
  });

  test.each([
    ["nothing is published there", {}, { known: true, value: false }],
    ["another text is published there", { TXT: ["v=spf1 -all"] }, { known: true, value: false }],
    ["a wildcard is published there", "wildcard", { known: true, value: true }],
    ["DNS does not answer", "timeout", { known: false, why: "timeout" }],
  ] as const)("DMARC report addresses are authorized or not if %s", async (_, entry, authorised) => {
    const zone: Zone =
      entry === "wildcard"
        ? { "b.example": mx, "*._report._dmarc.b.example": consent }
        : { "b.example": mx, "a.example._report._dmarc.b.example": entry };
    expect(await targets("mailto:d@b.example", zone)).toMatchObject([{ external: true, authorised }]);
  });

  test.each([
    ["a null MX", { MX: [{ preference: 0, exchange: "." }] }, { known: true, value: false }],
    ["only an address", { A: ["192.0.2.1"] }, { known: true, value: true }],
    ["only an IPv6 address", { AAAA: ["2001:db8::1"] }, { known: true, value: true }],
    ["nothing", {}, { known: true, value: false }],
    ["no answer", { MX: "servfail" }, { known: false, why: "servfail" }],
  ] as const)("DMARC report addresses receive mail or not at a host with %s", async (_, entry, receivesMail) => {
    expect(await targets("mailto:d@b.example", { "b.example": entry })).toMatchObject([{ receivesMail }]);
  });

  test("DMARC report addresses at a subdomain that is its own organization need its authorization", async () => {
    const zone = toZone({ "r.a.example": "p=none; psd=n" });
    expect(await targets("mailto:d@r.a.example", zone)).toMatchObject([
      { external: true, authorised: { known: true, value: false } },
    ]);
  });

  test("DMARC report addresses in a registry's record may be at the registry", async () => {
    const zone = toZone({ example: "p=none; psd=y; rua=mailto:d@example" }, ["b.example"]);
    expect((await gather("b.example", zone)).reportTargets).toMatchObject([{ external: false }]);
  });

  test("DMARC report addresses at many hosts are verified for the first five", async () => {
    const rua = Array.from({ length: 12 }, (_, index) => `mailto:d@r${index}.example`).join(",");
    const all = await targets(rua, {});
    expect(all.map(({ authorised }) => authorised.known)).toEqual([
      ...Array<boolean>(5).fill(true),
      ...Array<boolean>(7).fill(false),
    ]);
  });
});

describe("the DMARC result", () => {
  const judge = async (from: string, policies: Parameters<typeof toZone>[0], proofs: string) => {
    const { dmarcResult, dkim } = await judgeMessage(
      { from, ...readProofs(proofs) },
      createZoneDns(toZone(policies, [from])),
    );
    return { ...(dmarcResult.known ? dmarcResult.value : {}), dkim };
  };

  test("the DMARC result says whether SPF or DKIM passes, and which signature counts", async () => {
    const proofs = "spf=pass b.example; dkim=pass b.example; dkim=fail a.example; dkim=pass mail.a.example";
    expect(await judge("a.example", { "a.example": "p=none" }, proofs)).toMatchObject({
      result: "pass",
      fromDomain: "a.example",
      alignedBy: ["dkim"],
      spfAligned: { value: false },
      dkimAligned: { value: true },
      dkim: {
        best: 2,
        signatures: [
          { aligned: { relaxed: false, strict: false } },
          { aligned: { relaxed: true, strict: true } },
          { aligned: { relaxed: true, strict: false } },
        ],
      },
    });
  });

  test("the DMARC result says if only strict alignment makes it fail", async () => {
    const strict = { "a.example": "p=none; aspf=s; adkim=s" };
    expect(await judge("a.example", strict, "dkim=pass mail.a.example")).toMatchObject({
      result: "fail",
      relaxedWouldPass: true,
    });
    expect(await judge("a.example", strict, "dkim=pass b.example")).toMatchObject({ relaxedWouldPass: false });
  });

  test("the DMARC result differs from RFC 7489 if a parent has no own record", async () => {
    const policies = { "news.a.example": "p=reject" };
    expect(await judge("news.a.example", policies, "dkim=pass a.example")).toMatchObject({
      result: "fail",
      pslEraResult: "pass",
      pslOrgDomain: "a.example",
    });
    expect(await judge("a.example", { example: "p=reject; psd=y" }, "dkim=pass a.example")).toMatchObject({
      result: "pass",
      pslEraResult: null,
    });
  });

  test("the DMARC result without a record shows what would align by registrable domain", async () => {
    expect(await judge("news.shop.co.uk", {}, "spf=pass shop.co.uk; dkim=pass other.co.uk")).toMatchObject({
      result: "none",
      alignedBy: ["spf"],
      pslEraResult: null,
      pslOrgDomain: "shop.co.uk",
    });
  });

  test("the DMARC result is a permerror without a single author, with the reason", async () => {
    const { dmarcResult } = await judgeMessage(
      { headers: "From: a@a.example, b@b.example\r\n\r\n" },
      createZoneDns({}),
    );
    expect(dmarcResult).toMatchObject({
      value: { result: "permerror", fromDomain: null, says: expect.stringContaining("several domains") },
    });
  });

  const forged = createZoneDns(toZone({ "legit.example": "p=reject", "a.example": "p=none" }));
  const byMallory = { spf: known(spf("pass", "mallory.example")), signatures: [] };
  test.each([
    ["a name that can't be read", "From: a@mallory.example, Ltd <ceo@legit.example>"],
    ["an encoded address of the forger", "From: =?utf-8?Q?a=40mallory.example?= <ceo@legit.example>"],
    ["an encoded word that can't be decoded", "From: =?utf-8?X?abc?= <ceo@legit.example>"],
    ["a bare address of the forger", "From: a@mallory.example <ceo@legit.example>"],
    ["a comment of the forger", "From: ceo@legit.example (a@mallory.example)"],
    ["a comma in the name", "From: Boss, The <ceo@legit.example>"],
    ["two From fields", "From: <a@mallory.example>\r\nFrom: <ceo@legit.example>"],
    ["two addresses", "From: a@mallory.example, ceo@legit.example"],
    ["a route", "From: <@mallory.example:ceo@legit.example>"],
    ["a control character", "From: Boss\u0007 <ceo@legit.example>"],
    ["a field that is too long", `From: ${"(x)".repeat(5_000)} ceo@legit.example`],
  ])("the DMARC result fails under p=reject regardless of other text in From: %s", async (_, headers) => {
    const { dmarcResult, dmarc } = await judgeMessage({ headers: `${headers}\r\n\r\n`, ...byMallory }, forged);
    expect(dmarcResult).toMatchObject({ value: { result: "fail", fromDomain: "legit.example" } });
    expect(dmarc).toMatchObject({ value: { effective: "reject" } });
  });

  test.each([
    ["a list that puts the author into the name", "From: 'ann@legit.example' via List <list@a.example>"],
    ["an encoded name of such a list", "From: =?utf-8?Q?ann=40legit.example_via_B=C3=BCro?= <list@a.example>"],
    ["a name with a comma", "From: Shop, Inc. <shop@a.example>"],
    ["an address without a policy in the name", "From: ann@b.example <notify@a.example>"],
  ])("the DMARC result passes for the address in angle brackets: %s", async (_, headers) => {
    const proofs = { spf: known(spf("pass", "a.example")), signatures: [] };
    const { dmarcResult } = await judgeMessage({ headers: `${headers}\r\n\r\n`, ...proofs }, forged);
    expect(dmarcResult).toMatchObject({ value: { result: "pass", fromDomain: "a.example" } });
  });

  test("the DMARC result is a permerror if a spoofer passes and displays a protected address", async () => {
    const proofs = { spf: known(spf("pass", "a.example")), signatures: [] };
    const headers = "From: ceo@legit.example <a@a.example>\r\n\r\n";
    const { dmarcResult } = await judgeMessage({ headers, ...proofs }, forged);
    expect(dmarcResult).toMatchObject({
      value: { result: "permerror", fromDomain: "a.example", ambiguity: expect.stringContaining("second address") },
    });
  });

  test("the DMARC result evaluates few of a thousand signatures, and still finds the one that passes", async () => {
    const policies = { "a.example": "p=reject" };
    const flood = Array.from({ length: 60 }, (_, index) => `dkim=fail x.y.s${index}.a.example`);
    const dns = countQuestions(toZone(policies, ["a.example"]));
    const proofs = readProofs([...flood, "dkim=pass mail.a.example"].join("; "));
    const { dmarcResult, dkim } = await judgeMessage({ from: "a.example", ...proofs }, dns);
    expect(dmarcResult).toMatchObject({ value: { result: "pass" } });
    expect(dkim.best).toBe(60);
    expect(new Set(dns.asked).size).toBeLessThan(40);
  });

  test("the DMARC result prefers a signature that covers the whole body", async () => {
    const { signatures = [], spf } = readProofs("dkim=pass a.example; dkim=pass a.example; spf=none");
    const [first, second] = signatures;
    if (!first || !second || !spf) throw new Error("two signatures");
    const dns = createZoneDns(toZone({ "a.example": "p=none" }));
    const given = { from: "a.example", spf, signatures: [{ ...first, bodyLength: 10 }, second] };
    expect((await judgeMessage(given, dns)).dkim.best).toBe(1);
  });
});
