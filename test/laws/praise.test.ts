// A report never praises something that one of its own checks criticizes.

import { expect, test } from "vitest";
import { analyzeMessage } from "../../src/analyzer/analyze-message.ts";
import { checkCatalog } from "../../src/analyzer/checks/catalog.ts";
import { volumes } from "../../src/analyzer/checks/volume.ts";
import { createZoneDns } from "../../src/analyzer/dns/zone.ts";
import type { Report } from "../../src/analyzer/reports/report.ts";
import { toAuthentication } from "../../src/features/tests/contract/authentication.ts";
import { toJudgmentFields } from "../../src/features/tests/contract/judgment.ts";
import { toSteps } from "../../src/features/tests/words/authentication-words.ts";
import { bases, fixtures, letterOf } from "../fixtures/messages/fixture.ts";
import { gallery, galleryAnalyst, galleryInput } from "../fixtures/messages/gallery.ts";
import { all, inHtml, type Letter, withName, withoutName } from "../fixtures/messages/letter.ts";
import { situations } from "../fixtures/messages/quiet.ts";
import { analystWith, analyze, circumstances, inputOf } from "../fixtures/messages/run.ts";
import { contradictionsIn, praiseIn } from "./contradictions.ts";

/** What the cards of authentication say in green, beside a fault of the same mechanism. */
function greenCardsIn(report: Report): string[] {
  const { findings } = toJudgmentFields(report, checkCatalog);
  const authentication = toAuthentication(report.authentication);
  const seen = { transport: { client_address: "203.0.113.7", helo: null }, surroundings: null, from: null, findings };
  const steps = toSteps(seen as unknown as Parameters<typeof toSteps>[0], authentication);
  const faults = (findings ?? []).filter(({ severity }) => severity !== "good" && severity !== "info");
  return steps
    .filter(({ tone }) => tone === "good")
    .flatMap(({ id, badge }) => {
      const mechanism = id.replace(/-\d+$/, "");
      const its = faults.filter(({ check }) => check.startsWith(`${mechanism}-`) && !ofAbsent(check));
      return its.map((fault) => `${badge} ↔ ${fault.id}`);
    });
}

/** The fault of a signature that is not there, or of another one. */
function ofAbsent(check: string): boolean {
  return check === "dkim-alignment" || check === "dkim-extra-signature" || check === "dkim-present";
}

/** Nothing authenticated: the score of that area is low, whatever else is well. */
function authenticationOf({ judgment, authentication }: Report): number | null {
  const { dmarcResult, spf, dkim } = authentication;
  if (!dmarcResult.known || !spf.known || !dkim.known || dmarcResult.value.fromDomain === null) return null;
  const { result, alignedBy } = dmarcResult.value;
  const isForwarded = judgment.findings.some(({ id }) => id === "dmarc-result.forwarded");
  if (result === "pass" || result === "temperror" || alignedBy.length > 0 || isForwarded) return null;
  return judgment.score.areas.find(({ area }) => area === "authentication")?.score ?? null;
}

function expectAgreement(name: string, report: Report): void {
  expect(greenCardsIn(report), name).toEqual([]);
  expect(authenticationOf(report) ?? 0, name).toBeLessThanOrEqual(40);
}

const ofFixtures = Object.entries(bases).map(([name, letter]) => [name, letter] as const);

async function ofGallery(): Promise<(readonly [string, Report])[]> {
  return Promise.all(
    gallery.map(async (prepared) => {
      const { report } = await analyzeMessage(galleryInput(prepared), galleryAnalyst);
      if (report === null) throw new Error(`${prepared.id} was taken for something that is no test.`);
      return [prepared.id, report] as const;
    }),
  );
}

test("no fixture praises something with an issue", async () => {
  const letters = [
    ...ofFixtures,
    ...fixtures.map((one) => [`fixture ${one.number}`, letterOf(one)] as const),
    ...situations.map((one) => [one.name, letterOf(one)] as const),
  ];
  const found: string[] = [];
  for (const [name, letter] of letters) {
    const report = await analyze(letter);
    expectAgreement(name, report);
    found.push(...contradictionsIn(report.judgment).map((one) => `${name}: ${one}`));
  }
  expect(found).toEqual([]);
});

test.each(volumes)("no newsletter with sending volume %s praises something with an issue", async (volume) => {
  const said = { ...circumstances, kindOverride: "bulk" as const, volume };
  const found: string[] = [];
  for (const letter of [...Object.values(bases), ...fixtures.map(letterOf)]) {
    const analyst = analystWith(createZoneDns(letter.zone));
    const { report } = await analyzeMessage({ ...inputOf(letter), circumstances: said }, analyst);
    if (report === null) throw new Error("The letter was taken for something that is no test.");
    expectAgreement(volume, report);
    found.push(...contradictionsIn(report.judgment));
  }
  expect(found).toEqual([]);
});

test("no sample praises something with an issue", async () => {
  const reports = await ofGallery();
  for (const [id, report] of reports) expectAgreement(id, report);
  expect(reports.flatMap(([id, { judgment }]) => contradictionsIn(judgment).map((one) => `${id}: ${one}`))).toEqual([]);
});

/** As it comes out of the whole analysis. */
async function praiseOf(letter: Letter) {
  const { judgment } = await analyze(letter);
  expect(contradictionsIn(judgment)).toEqual([]);
  const said = praiseIn(judgment)
    .map(({ says }) => says)
    .join("\n");
  return { said, ids: judgment.findings.map(({ id }) => id) };
}

test("a link with the text paypal.com to an IP address is not praised, and both issues are reported", async () => {
  const deceptive = `<a href="http://203.0.113.99/login">https://www.paypal.com/</a></body>`;
  const { said, ids } = await praiseOf(inHtml("</body>", deceptive)(bases.T));
  expect(said).not.toMatch(/opens that address|No link uses http|Every link/);
  expect(ids).toEqual(expect.arrayContaining(["link-address.numeric", "link-text.imitates"]));
});

test("text that is hidden from recipients is not praised as preview text", async () => {
  const junk = `<p style="color:#fff;background:#fff">${"81520734".repeat(30)}</p>`;
  const usual = await praiseOf(bases.N);
  const { said, ids } = await praiseOf(
    inHtml('<div style="display:none;', `${junk}<div style="display:none;`)(bases.N),
  );
  expect(usual.said).toContain("The preview text is");
  expect(ids).toContain("hidden-text.hidden");
  expect(said).not.toContain("The preview text is");
});

test("a domain whose MX hosts do not resolve is not praised for receiving mail", async () => {
  const dead = all(withoutName("mx1.a.example"), withoutName("mx2.a.example"));
  const { said, ids } = await praiseOf(dead(bases.T));
  expect(said).not.toMatch(/accepts mail|accepts bounces|a\.example exists/);
  expect(ids).toContain("mx-hosts.unresolvable");
});

test("two SPF records are both shown as DNS answers", async () => {
  const two = withName("bounce.a.example", {
    MX: [{ preference: 10, exchange: "mx1.a.example" }],
    TXT: ["v=spf1 include:_spf.a.example -all", "v=spf1 a -all"],
  });
  const { authentication } = await analyze(two(bases.T));
  const seen = { transport: { client_address: null, helo: null }, surroundings: null, from: null, findings: [] };
  const steps = toSteps(seen as unknown as Parameters<typeof toSteps>[0], toAuthentication(authentication));
  expect(steps.find(({ id }) => id === "spf")?.answers).toEqual([
    "v=spf1 include:_spf.a.example -all",
    "v=spf1 a -all",
  ]);
});
