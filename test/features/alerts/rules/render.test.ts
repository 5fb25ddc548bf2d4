import { describe, expect, test } from "vitest";
import { createDice, type Dice } from "../../../../scripts/dice.ts";
import { type ChangeKind, changeKinds, noticeKinds } from "../../../../src/analyzer/domains/change-kind-table.ts";
import { bounceClasses } from "../../../../src/analyzer/mail/reports/mail-class.ts";
import { otherMechanisms, verdictMechanisms } from "../../../../src/analyzer/reports/domain-report.ts";
import type { AlertEvent } from "../../../../src/features/alerts/rules/alert-event.ts";
import { renderMessage, renderPing } from "../../../../src/features/alerts/rules/render.ts";
import { feedbackKinds, resolutions } from "../../../../src/features/feedback/rules/problem.ts";
import { expectDiscordMessage, expectSlackMessage } from "./chat-laws.ts";
import {
  aBounce,
  aDrift,
  aFeedbackEvidence,
  aFeedbackProblem,
  aLowScore,
  aMonitorChange,
  aRecipient,
  aStreamMove,
  at,
  baseUrl,
  looserPolicy,
  told,
} from "./events.ts";
import { hostileText } from "./hostile-words.ts";

const chats = [
  ["slack", expectSlackMessage],
  ["discord", expectDiscordMessage],
] as const;

describe.each(chats)("a message to %s", (kind, expectMessage) => {
  const bodyOf = (events: readonly AlertEvent[], more = 0) => renderMessage(kind, told(events, more)).body;

  test("an alert message stays within the service's limits and contains no foreign markup", () => {
    const dice = createDice(7);
    for (let round = 0; round < 60; round++) {
      const events = Array.from({ length: dice(3) === 0 ? 1 + dice(14) : 1 }, () => hostileEvent(dice));
      expectMessage(bodyOf(events, dice(2) * dice(1_000)), baseUrl);
    }
  });

  test("an alert message stays within the limits if every text is as long as possible", () => {
    for (const letter of ["a", "`", "<", "😀", "\\", "\u0301"]) {
      const long = letter.repeat(30_000);
      const change = { ...looserPolicy, says: long };
      const sides = {
        before: { verdict: "pass", record: long },
        after: { verdict: "fail", record: `x${long}` },
      } as const;
      const changes = [...verdictMechanisms, ...otherMechanisms].map((mechanism) => ({
        ...change,
        ...sides,
        mechanism,
      }));
      const drift = aDrift({ domain: { id: "dom_1", domain: long }, changes });
      for (const count of [1, 10, 40]) expectMessage(bodyOf(Array<AlertEvent>(count).fill(drift), 37), baseUrl);
      expectMessage(bodyOf([drift]), baseUrl);
    }
  });

  test("an alert message describes each kind of drift, class of bounce, and a report of mail that is not spam", () => {
    for (const drift of noticeKinds) expectMessage(bodyOf([aDrift({ kind: drift })]), baseUrl);
    expectMessage(bodyOf([aDrift({ changes: [] })]), baseUrl);
    for (const name of bounceClasses) {
      const recipients = [{ ...aRecipient, class: name, hard: false }];
      expectMessage(bodyOf([aBounce({ recipients })]), baseUrl);
    }
    expectMessage(bodyOf([aBounce({ kind: "complaint", feedbackType: "not-spam", recipients: [] })]), baseUrl);
  });

  test("an alert message says what changed from what to what, and shows the old record", () => {
    const body = bodyOf([aDrift()]);
    expect(body).toContain("shop.example");
    expect(body).toContain("DMARC got worse");
    expect(body).toContain("pass → warn");
    expect(body).toContain("The policy went from reject to none.");
    expect(body).toContain("v=DMARC1; p=reject; rua=mailto:d@shop.example");
    expect(body).toContain("v=DMARC1; p=none; rua=mailto:d@shop.example");
    expect(body).toContain("restore the previous record");
    expect(body).toContain(`${baseUrl}/domains/dom_01kakzq3v1c8w2e5m7r9t0xyza`);
  });

  test("an alert message says what reports show, who sent them, and what to do", () => {
    const evidence = { ...aFeedbackEvidence, detail: { ...aFeedbackEvidence.detail, threshold: 0.001 } };
    const body = bodyOf([aFeedbackProblem({ kind: "complaint-rate", resolution: null, evidence })]);
    expectMessage(body, baseUrl);
    expect(body).toContain("Complaint rate at google");
    expect(body.replaceAll("\\", "")).toContain("Reported by google.com (40 of 400).");
    expect(body).toContain("Stop the campaign that causes it");
    expect(body).toContain(`${baseUrl}/domains/dom_01kakzq3v1c8w2e5m7r9t0xyza#feedback`);
    const over = bodyOf([aFeedbackProblem({ kind: "complaint-rate", resolution: "over", evidence })]);
    expect(over).toContain("Complaints are back to normal");
  });

  test("an alert message replaces an invalid reporter name", () => {
    const reporters = [{ reporter: "<!channel> @everyone", count: 1, total: 2 }];
    const evidence = {
      ...aFeedbackEvidence,
      reporters,
      detail: { ...aFeedbackEvidence.detail, reporter: "https://evil.example/?login" },
    };
    for (const kind of feedbackKinds) {
      const body = bodyOf([aFeedbackProblem({ kind, resolution: null, evidence })]);
      expect(body).not.toMatch(/evil|everyone/);
      expect(body).toContain("unreadable name");
    }
  });

  test("an alert message says which monitor is down, why, and since when", () => {
    for (const kind of ["canary", "expected"] as const) {
      const monitor = { id: "mon_1", name: "Nightly backup", kind };
      const body = bodyOf([aMonitorChange({ monitor })]);
      expectMessage(body, baseUrl);
      expect(body).toContain("“Nightly backup” is down");
      expect(body).toContain("No matching message arrived");
      expect(body).toContain("Last OK");
      expect(body).toContain(`${baseUrl}/monitors/mon_1`);
      const up = bodyOf([aMonitorChange({ monitor, state: "up" })]);
      expect(up).toContain("“Nightly backup” is up again");
      expect(up).not.toContain("Last OK");
    }
  });

  test("an alert message says how far the score of a stream moved, and why", () => {
    const body = bodyOf([aStreamMove()]);
    expectMessage(body, baseUrl);
    expect(body).toContain("score 61, usually 88");
    expect(body).toContain("−27 from DNS");
    expect(body).toContain("Selector changed.");
  });

  test("an alert message says how low a test scored, the threshold, and which test", () => {
    const body = bodyOf([aLowScore()]);
    expect(body).toContain("A test scored 43.5 of 100, below 70");
    expect(body).toContain("SPF pass, DKIM fail, DMARC fail.");
    expect(body).toContain("80% of checks completed.");
    expect(body).toContain("Ann <ann@shop.example>");
    expect(body).toContain(`${baseUrl}/tests/tst_01kakzq3v1c8w2e5m7r9t0xyza`);
  });

  test("an alert message says that malware was found and in which file, for any file name", () => {
    const names = [
      "invoice.exe",
      "<!channel> @everyone <@U123> <https://evil.example|click>",
      "*b* _i_ ~s~ `c` ||x|| [a](https://evil.example) https://evil.example/x\u202egpj.exe",
    ];
    for (const file of names) {
      const body = bodyOf([aLowScore({ malware: [{ signature: "Eicar-Test-Signature", file }], composite: 29 })]);
      expectMessage(body, baseUrl);
      expect(body).toContain("Malware found: a test scored 29 of 100, below 70");
      expect(body).toContain("ClamAV found Eicar-Test-Signature in the attachment");
      expect(body).not.toContain("\u202e");
    }
    expect(bodyOf([aLowScore({ malware: [{ signature: "Eicar", file: "invoice.exe" }] })])).toContain(
      "in the attachment “invoice.exe”.",
    );
    const several = bodyOf([aLowScore({ malware: [{ signature: "Eicar", file: null }] }), aLowScore()]);
    expectMessage(several, baseUrl);
    expect(several).toContain("ClamAV found Eicar in the message, but not in an attachment.");
  });

  test("an alert message says whether a low score is unusual for the stream", () => {
    const inStream = (usualScore: number | null) => {
      const event = aLowScore() as Extract<AlertEvent, { type: "test.low_score" }>;
      const stream = { id: "str_01kakzq3v1c8w2e5m7r9t0xyza", name: "shop.example · news", usualScore };
      return bodyOf([{ ...event, data: { ...event.data, stream } }]);
    };
    expect(inStream(91)).toContain("This is low for shop.example · news, which usually scores 91.");
    expect(inStream(45)).toContain("This is as usual for shop.example · news, which usually scores 45.");
    expect(inStream(null)).not.toContain("usually");
  });

  test("an alert message says the kind of monitor that is down, so its name cannot mislead", () => {
    const body = bodyOf([aMonitorChange()]);
    expect(body).toContain("Expected mail “Nightly backup” is down");
    expect(body).toContain("No matching message arrived by Sat, Nov 21");
    expect(body).toContain(`${baseUrl}/monitors/mon_01kakzq3v1c8w2e5m7r9t0xyza`);
    const monitor = { id: "mon_01kakzq3v1c8w2e5m7r9t0xyza", name: "Path", kind: "canary" } as const;
    expect(bodyOf([aMonitorChange({ monitor, state: "up" })])).toContain("Canary “Path” is up again");
  });

  test("an alert message says who bounced, why, and what to do", () => {
    const body = bodyOf([aBounce()]);
    expect(body).toContain("Hard bounce: mailbox does not exist");
    expect(body).toContain("bob@receiver.example");
    expect(body).toContain("550 5.1.1 No such user");
    expect(body).toContain("remove the address from your list.");
    expect(body).toContain(`${baseUrl}/feedback/bounces`);
    expect(body).not.toContain("made it up");
  });

  test("an alert message says of a DMARC failure report that a message failed, not that a recipient complained", () => {
    const body = bodyOf([aBounce({ kind: "complaint", feedbackType: "auth-failure", recipients: [] })]);
    expect(body).toContain("failed authentication");
    expect(body).not.toContain("complained");
  });

  test("an alert message says of an unauthenticated report that anyone could have sent it", () => {
    expect(bodyOf([aBounce({ authenticated: false })])).toContain("anyone could have sent it");
  });

  test("an alert message combines several events with links, and counts those that are not shown", () => {
    const drifts = Array.from({ length: 12 }, (_, index) =>
      aDrift({ domain: { id: `dom_${index}`, domain: `d${index}.example` } }),
    );
    const body = bodyOf(drifts, 35);
    expectMessage(body, baseUrl);
    expect(body).toContain("47 alerts");
    expect(body).toContain("and 37 more");
    for (const index of [0, 9]) expect(body).toContain(`/domains/dom_${index}`);
    expect(body).not.toContain("/domains/dom_10");
  });

  test("an alert message shows one event of many as a list too", () => {
    const body = bodyOf([aDrift()], 1);
    expectMessage(body, baseUrl);
    expect(body).toContain("and 1 more");
  });

  test("an alert message shows a notice instead of the events", () => {
    const notice = "More than 120 alerts in an hour: the rest is held until 07:00 UTC.";
    const { body } = renderMessage(kind, { ...told([aDrift()]), notice });
    expectMessage(body, baseUrl);
    expect(body).not.toContain("DMARC");
  });

  test("an alert message shows an emoji with a variation selector as an emoji", () => {
    expect(bodyOf([aLowScore({ subject: "I ❤\ufe0f mail" })])).toContain("I ❤ mail");
  });
});

describe.each(["slack", "discord", "json"] as const)("a test alert to a %s webhook", (kind) => {
  const ping = (label: string) =>
    renderPing(kind, {
      id: "evt_1",
      workspaceId: "wsp_1",
      alert: { id: "alr_1", label },
      baseUrl,
      now: at,
      secret: kind === "json" ? `whsec_${Buffer.alloc(32).toString("base64")}` : null,
    }).body;

  test("a test alert says which webhook it is", () => {
    expect(ping("On call")).toContain("On call");
  });

  test("a test alert stays within the limits for any label", () => {
    const dice = createDice(8);
    for (let round = 0; round < 20; round++) {
      const body = ping(hostileText(dice));
      if (kind === "slack") expectSlackMessage(body, baseUrl);
      if (kind === "discord") expectDiscordMessage(body, baseUrl);
      expect(JSON.parse(body)).toBeTypeOf("object");
    }
  });
});

function hostileEvent(dice: Dice): AlertEvent {
  const text = () => hostileText(dice);
  const textOrNull = () => (dice(4) === 0 ? null : text());
  const which = dice(6);
  if (which === 0) return hostileDrift(dice);
  if (which === 3) return hostileFeedback(dice);
  if (which === 4) return hostileMonitor(dice);
  if (which === 5)
    return aStreamMove({
      stream: { id: "str_1", name: text() },
      changes: Array.from({ length: dice(8) }, () => ({ what: "dkim", says: text() })),
      causes: dice(2) === 0 ? null : [{ cause: "mail", points: -dice(90) }],
    });
  if (which === 1)
    return aLowScore({
      from: textOrNull(),
      subject: textOrNull(),
      label: textOrNull(),
      spf: textOrNull(),
      dkim: textOrNull(),
      // As if the name that a virus scanner gave were in a title.
      issues: Array.from({ length: dice(4) }, () => ({ id: "attachment-virus.found", title: text() })),
      malware: Array.from({ length: dice(4) }, () => ({ signature: text(), file: textOrNull() })),
      coverage: dice(101) / 100,
      composite: dice(1_000) / 10,
    });
  const recipient = () => ({
    address: textOrNull(),
    status: textOrNull(),
    action: textOrNull(),
    diagnostic: textOrNull(),
    class: dice(2) === 0 ? text() : (bounceClasses[dice(bounceClasses.length)] ?? ""),
    hard: dice(2) === 0,
  });
  return aBounce({
    kind: dice(2) === 0 ? "bounce" : "complaint",
    authenticated: dice(2) === 0,
    recipients: Array.from({ length: dice(5) }, recipient),
    reportingMta: textOrNull(),
    feedbackType: textOrNull(),
    originalMessageId: textOrNull(),
  });
}

function hostileMonitor(dice: Dice): AlertEvent {
  const text = () => hostileText(dice);
  return aMonitorChange({
    monitor: { id: "mon_1", name: text(), kind: dice(2) === 0 ? "canary" : "expected" },
    state: dice(2) === 0 ? "down" : "up",
    // A relay's reply, or words of the message that came.
    reason: { code: "refused", says: text() },
    lastOkAt: dice(2) === 0 ? null : "2026-11-20T05:59:00.000Z",
  });
}

function hostileFeedback(dice: Dice): AlertEvent {
  const text = () => hostileText(dice);
  const textOrNull = () => (dice(4) === 0 ? null : text());
  const texts = () => Array.from({ length: dice(4) }, text);
  const [count, total] = [dice(900), dice(3) === 0 ? null : 900];
  return aFeedbackProblem({
    kind: feedbackKinds[dice(feedbackKinds.length)] ?? "new-source",
    resolution: dice(2) === 0 ? null : (resolutions[dice(resolutions.length)] ?? null),
    domain: text(),
    evidence: {
      ...aFeedbackEvidence,
      count,
      total,
      usual: { days: aFeedbackEvidence.days, count: dice(9), total: 90 },
      reporters: texts().map((reporter) => ({ reporter, count, total })),
      detail: {
        ...aFeedbackEvidence.detail,
        source: textOrNull(),
        addresses: texts(),
        passed: dice(900),
        headerFroms: texts(),
        selector: textOrNull(),
        dkimDomain: textOrNull(),
        reporter: textOrNull(),
        threshold: dice(2) === 0 ? null : 0.001,
        lastDay: dice(2) === 0 ? null : at,
        failures: texts().map((mxHost) => ({ resultType: textOrNull(), mxHost, sessions: dice(90) })),
      },
    },
  });
}

function hostileDrift(dice: Dice): AlertEvent {
  const mechanisms = [...verdictMechanisms, ...otherMechanisms];
  const kinds = Object.keys(changeKinds) as ChangeKind[];
  const side = () => ({
    verdict: (["pass", "warn", "fail", "missing", null] as const)[dice(5)] ?? null,
    record: dice(4) === 0 ? null : hostileText(dice),
  });
  const change = () => ({
    mechanism: mechanisms[dice(mechanisms.length)] ?? "spf",
    kind: kinds[dice(kinds.length)] ?? "policy_loosened",
    direction: (["worse", "better", "neutral"] as const)[dice(3)] ?? "worse",
    says: hostileText(dice),
    before: side(),
    after: side(),
  });
  return aDrift({
    domain: { id: "dom_1", domain: hostileText(dice) },
    kind: noticeKinds[dice(3)] ?? "drift",
    changes: Array.from({ length: dice(8) }, change),
  });
}
