import { describe, expect, test } from "vitest";
import { consequenceOf } from "../../../../src/analyzer/checks/gate-reply.ts";
import { checks } from "../../../../src/analyzer/checks/list.ts";
import { receivers } from "../../../../src/analyzer/mail/headers/rehearsal-address.ts";
import { predictReply, toReply, toStatuses } from "../../../../src/features/rehearsal/rules/replies.ts";
import { fixtures, letterOf } from "../../../fixtures/messages/fixture.ts";
import { analyze } from "../../../fixtures/messages/run.ts";

const gates = checks.flatMap(({ findings }) =>
  Object.values(findings).flatMap(({ title, gates: own = [] }) => own.map((gate) => ({ title, gate }))),
);

test.each([
  ["550 5.7.26", ["550 5.7.26"]],
  ["421 4.7.0, then 550 5.7.25 (over IPv6 550 5.7.1)", ["421 4.7.0", "550 5.7.25"]],
  ["550 5.7.29 (421 4.7.29 first)", ["421 4.7.29", "550 5.7.29"]],
  ["550 5.7.40 (421 4.7.40, or 4.7.31)", ["550 5.7.40"]],
  ["421 4.7.32, then refusal", ["421 4.7.32", "550 5.0.0"]],
  ["451, then 554 (unresolvable RFC.5321 from domain)", ["451 4.0.0", "554 5.0.0"]],
  ["554 5.7.1 [HME1]", ["554 5.7.1 [HME1]"]],
  ["550 OU-001", ["550 5.0.0 OU-001"]],
  ["554 (Date outside of range)", ["554 5.0.0"]],
  ["rejection", ["550 5.0.0"]],
])("the documented reply %s becomes %j in a rehearsal", (reply, wanted) => {
  const statuses = toStatuses(reply, false).map(({ code, enhanced, mark }) =>
    [code, enhanced, mark].filter(Boolean).join(" "),
  );
  expect(statuses).toEqual(wanted);
});

test("a rule may have another reply over IPv6", () => {
  expect(toStatuses("421 4.7.0, then 550 5.7.25 (over IPv6 550 5.7.1)", true)).toMatchObject([
    { code: 421 },
    { code: 550, enhanced: "5.7.1" },
  ]);
});

test("every rejecting or deferring rule has an SMTP reply with a matching code", () => {
  const acting = gates.filter(({ gate }) => ["refusal", "deferral"].includes(consequenceOf(gate)));
  expect(acting.length).toBeGreaterThan(50);
  for (const { gate } of acting) {
    const statuses = toStatuses(gate.reply, false);
    expect(statuses.at(-1)?.code, gate.reply).toBeGreaterThanOrEqual(consequenceOf(gate) === "refusal" ? 500 : 400);
    for (const { code, enhanced } of statuses) expect(enhanced, gate.reply).toMatch(new RegExp(`^${`${code}`[0]}\\.`));
  }
});

test("a reply is ASCII with at most 512 octets per line, for any base URL", () => {
  const status = { code: 550, enhanced: "5.7.26", mark: null };
  for (const { title } of gates)
    for (const line of toReply(status, `Issue: ${title}.`, "https://assay.example/tests/tst_1").lines)
      expect(line).toMatch(/^[ -~]{1,506}$/);
  const { lines } = toReply(status, "x".repeat(600), `https://${"a".repeat(600)}.example/`);
  expect(lines).toHaveLength(1);
  expect(`550-${lines[0]}\r\n`.length).toBe(512);
  expect(toReply(status, "naïve\r\n250 OK", "x").lines[0]).not.toMatch(/[\r\n]/);
});

describe("a rehearsal and its report", () => {
  test.each(fixtures.map((fixture) => [fixture.broken, fixture] as const))(
    "a rehearsal and its report agree about %s",
    async (_, fixture) => {
      const { judgment } = await analyze(letterOf(fixture));
      for (const receiver of receivers) {
        const verdict = predictReply(judgment, receiver, false);
        const prediction = judgment.placement?.predictions.find(({ provider }) => provider === receiver);
        if (prediction?.folder === "rejected") expect(verdict?.reply).toBe(prediction.smtpReply);
        // Anything else is a rule that the report shows with the finding.
        if (verdict !== null)
          expect(
            judgment.findings.some(
              ({ id, gates: own }) => id === verdict.finding && own.some(({ reply }) => reply === verdict.reply),
            ),
          ).toBe(true);
        if (prediction !== undefined && prediction.folder !== "rejected")
          expect((verdict?.statuses ?? []).every(({ code }) => code < 500)).toBe(true);
      }
    },
  );
});
