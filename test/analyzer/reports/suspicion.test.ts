// Messages that may not be from the sender in From, through the whole analysis.

import { expect, test } from "vitest";
import { checkCatalog } from "../../../src/analyzer/checks/catalog.ts";
import { known } from "../../../src/analyzer/checks/fact.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import type { Report } from "../../../src/analyzer/reports/report.ts";
import { toJudgmentFields } from "../../../src/features/tests/contract/judgment.ts";
import { toJudgmentText } from "../../../src/features/tests/formats/judgment-text.ts";
import { toReportMarkdown } from "../../../src/features/tests/formats/markdown.ts";
import { toStyle } from "../../../src/features/tests/formats/style.ts";
import { analystFor, analyzeLetter, analyzeWith, inputOf, type Letter, zoneOf } from "../domain-cases/verdict-world.ts";

const style = toStyle({ columns: null, colour: false, environment: { LANG: "C.UTF-8" } });
const html = ["MIME-Version: 1.0", "Content-Type: text/html; charset=utf-8"];
const phishing = '<p>Confirm:</p><p><a href="http://203.0.113.99/login">https://www.a.example/</a></p>';

/** From a stranger's host without reverse DNS, under a.example with p=reject. */
const spoofed: Letter = { ip: "198.51.100.7", helo: "vps7.host.test", mailFrom: "ann@a.example", sign: [] };
const forged: Letter = { ...spoofed, headers: html, body: phishing };

const fieldsOf = (report: Report) => toJudgmentFields(report, checkCatalog);
const fixOf = (report: Report, id: string) => report.judgment.findings.find((one) => one.id === id)?.fix;
const identityOf = ({ judgment }: Report) =>
  judgment.score.areas.find(({ area }) => area === "identity")?.score ?? null;

test("a message that fails p=reject shows the cause first and the real domain it may spoof", async () => {
  const report = await analyzeLetter(spoofed);
  expect(report.judgment.plan[0]).toMatchObject({ finding: "dmarc-result.policy-reject", cap: { value: 49 } });
  expect(report.judgment.score.limit?.findings).toContain("dmarc-result.policy-reject");
  const { suspicion, notices } = fieldsOf(report);
  expect(suspicion).toMatchObject({ kind: "unauthenticated", domain: "a.example", withholds_fixes: false });
  expect(notices?.[0]?.title).toBe("This message may not be from a.example.");
  expect(fixOf(report, "spf-result.fail")).not.toBeNull();
});

test("a spoofed message gets no advice, and its sender is not praised", async () => {
  const report = await analyzeLetter(forged);
  const { suspicion, notices, notes, findings } = fieldsOf(report);
  expect(suspicion).toMatchObject({ kind: "forged", withholds_fixes: true });
  expect(notices?.[0]?.title).toBe("This message is probably not from a.example.");
  expect(notes).toEqual([]);
  for (const id of ["ptr-record.missing", "spf-result.fail", "helo-resolves.no-address"])
    expect(fixOf(report, id), id).toBeNull();
  const offered = (findings ?? []).flatMap(({ records }) => records);
  expect(offered.filter(({ name }) => name !== "_dmarc.a.example")).toEqual([]);
  expect(fixOf(report, "dmarc-result.policy-reject")).toContain("If you own a.example and did not send it");
  expect(identityOf(report)).toBeLessThanOrEqual(40);
  const praised = report.judgment.passes.map(({ check }) => check);
  for (const check of ["display-name", "lookalike-domain", "reply-to", "reply-address", "from-header"])
    expect(praised).not.toContain(check);
});

test.each<[string, (report: Report) => string]>([
  ["the terminal", (report) => toJudgmentText(report, style)],
  ["Markdown", (report) => toReportMarkdown("x", report)],
])("the format %s shows the suspicion before the score, and no issues to fix", async (_, write) => {
  const text = write(await analyzeLetter(forged)).replaceAll("\\", "");
  expect(text).toContain("This message is probably not from a.example.");
  expect(text).not.toMatch(/issues to fix|brings the score|raises it to|in-addr\.arpa|add it to the record/);
});

test.each<[string, Letter]>([
  [
    "its signature fails with a key that the domain publishes",
    { ...forged, sign: {}, change: (text) => text.replace("Confirm", "Pay") },
  ],
  [
    "its host's confirmed name is in the domain",
    {
      ...forged,
      zone: { "7.100.51.198.in-addr.arpa": { PTR: ["out.a.example"] }, "out.a.example": { A: ["198.51.100.7"] } },
    },
  ],
])("there is no suspicion if %s", async (_, letter) => {
  const report = await analyzeLetter(letter);
  expect(report.judgment.findings.map(({ id }) => id)).toContain("dmarc-result.policy-reject");
  expect(fieldsOf(report)).toMatchObject({ suspicion: null, notices: [] });
  expect(fixOf(report, "spf-result.fail")).not.toBeNull();
});

test("there is no suspicion if the domain belongs to the workspace", async () => {
  const input = inputOf(forged);
  const own = known({ domains: ["a.example"] });
  const report = await analyzeWith(
    { ...input, circumstances: { ...input.circumstances, own } },
    analystFor(createZoneDns(zoneOf(forged))),
  );
  expect(fieldsOf(report).suspicion).toBeNull();
});

test("an authenticated lookalike is named, and gets no advice about its servers", async () => {
  const domain = "paypal-billing.test";
  const report = await analyzeLetter({
    from: `PayPal Service <service@${domain}>`,
    ip: "192.0.2.10",
    mailFrom: `service@${domain}`,
    sign: { domain },
    zone: { [domain]: { A: ["192.0.2.10"], TXT: ["v=spf1 ip4:192.0.2.10"] } },
  });
  const { suspicion, notices } = fieldsOf(report);
  expect(suspicion).toMatchObject({ kind: "imitation", domain, imitated: "PayPal", withholds_fixes: true });
  expect(notices?.[0]?.title).toBe("This message seems to imitate PayPal.");
  expect(notices?.[0]?.text).toContain("does not explain how to set up authentication or sending servers");
  expect(notices?.[0]?.text).toContain(`Its From address is at ${domain}.`);
  for (const { area, fix, severity } of report.judgment.findings)
    if (severity !== "good" && (area === "authentication" || area === "infrastructure")) expect(fix).toBeNull();
  const withheld = new Set(report.judgment.findings.flatMap(({ id, fix }) => (fix === null ? [id] : [])));
  const reasons = report.judgment.placement?.predictions.flatMap(({ reasons }) => reasons) ?? [];
  const ofWithheld = reasons.filter(({ finding }) => finding !== null && withheld.has(finding));
  expect(ofWithheld.length).toBeGreaterThan(0);
  for (const { finding, change } of ofWithheld) expect(change, finding ?? "").toBeNull();
});

test("a post to a mailing list is only suspicious if it deceives", async () => {
  const list = ["List-Id: <talk.lists.test>", "List-Post: <mailto:talk@lists.test>"];
  const post = await analyzeLetter({ ...spoofed, headers: list });
  expect(post.judgment.findings.map(({ id }) => id)).toContain("dmarc-result.policy-reject");
  expect(fieldsOf(post).suspicion).toBeNull();
  const deceiving = await analyzeLetter({ ...forged, headers: [...html, ...list] });
  expect(fieldsOf(deceiving).suspicion).toMatchObject({ kind: "forged" });
});

test("a free mailbox through another server is suspicious if its provider has a policy", async () => {
  const letter = { ...spoofed, from: "Ann <ann@yahoo.com>", mailFrom: "ann@yahoo.com" };
  const enforced = { "_dmarc.yahoo.com": { TXT: ["v=DMARC1; p=reject"] }, "yahoo.com": { A: ["192.0.2.9"] } };
  expect(fieldsOf(await analyzeLetter({ ...letter, zone: enforced })).suspicion).toMatchObject({
    kind: "unauthenticated",
    domain: "yahoo.com",
  });
  const open = { ...enforced, "_dmarc.yahoo.com": { TXT: ["v=DMARC1; p=none"] } };
  expect(fieldsOf(await analyzeLetter({ ...letter, zone: open })).suspicion).toBeNull();
});

test("the failed policy comes first, even if other issues cap the score at the same value", async () => {
  const report = await analyzeLetter({ ...spoofed, change: (text) => text.replace("<1@a.example>", "<no-host>") });
  expect(report.judgment.plan[0]).toMatchObject({ finding: "dmarc-result.policy-reject" });
  expect(report.judgment.plan.map(({ finding }) => finding)).toContain("message-id.invalid");
});

test("each provider's rejection is shown once", async () => {
  const letter = { ...spoofed, from: "Ann <ann@yahoo.com>", mailFrom: "ann@yahoo.com" };
  const zone = { "_dmarc.yahoo.com": { TXT: ["v=DMARC1; p=reject"] }, "yahoo.com": { A: ["192.0.2.9"] } };
  const text = toJudgmentText(await analyzeLetter({ ...letter, zone }), style);
  for (const line of text.split("\n")) expect([...line.matchAll(/Yahoo rejects it/g)].length, line).toBeLessThan(2);
});

test("mail of the domain's owner is not suspicious", async () => {
  const report = await analyzeLetter({});
  expect(fieldsOf(report)).toMatchObject({ suspicion: null, notices: [] });
});

test("the checks that a private address prevents are named once", async () => {
  const report = await analyzeLetter({
    ip: "192.168.1.5",
    sign: [],
    zone: { "_dmarc.a.example": { TXT: ["nothing"] } },
  });
  expect(fieldsOf(report).notices).toEqual([
    {
      title: "Authentication isn’t tested yet.",
      text: "The message came from your own network, not from the server that receivers will see, so the score leaves out SPF, DKIM, DMARC, and reverse DNS. To test them too, set where your mail leaves for the internet (Settings → Sending → Outgoing server), or send through your outgoing server to a seed address that the internet can reach.",
    },
  ]);
});
