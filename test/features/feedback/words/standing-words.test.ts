import { expect, test } from "vitest";
import type { DomainSources } from "../../../../src/features/feedback/contract/domain-sources.ts";
import {
  toComplaintsStanding,
  toPolicyStanding,
  toProblemStanding,
  toSendersStanding,
  withMuted,
} from "../../../../src/features/feedback/words/standing-words.ts";

type Sender = DomainSources["senders"][number];

function sender(changes: Partial<Sender>): Sender {
  return {
    key: "service:SendGrid",
    name: "SendGrid",
    kind: "service",
    by: "spf",
    evidence: "sendgrid.net",
    country: null,
    page: null,
    messages: 100,
    passed: 100,
    dkimAligned: 100,
    spfAligned: 0,
    none: 100,
    quarantine: 0,
    reject: 0,
    forwarded: 0,
    addresses: 1,
    firstDay: "2026-11-01",
    lastDay: "2026-11-20",
    mark: null,
    note: "",
    needs: "nothing",
    says: "All of it passes DMARC.",
    ...changes,
  };
}

const sourcesOf = (...senders: readonly Sender[]) => ({
  domain: "shop.example",
  messages: senders.reduce((sum, { messages }) => sum + messages, 0),
  passed: senders.reduce((sum, { passed }) => sum + passed, 0),
  senders: [...senders],
});
const stranger = sender({ key: "network:1", name: "192.0.2.0/24", kind: "unknown", passed: 0, needs: "find-out" });
const unset = sender({ passed: 0, needs: "set-up", says: "All of 100 messages fail DMARC. Turn it on." });

const reject = { p: "reject", sp: "reject" } as const;
const none = { p: "none", sp: "none" } as const;

test("without reports it isn't known who sends", () => {
  expect(toSendersStanding(sourcesOf(), reject)).toMatchObject({
    state: "unknown",
    says: "No receiver that reports on three days or more has counted mail from shop.example in 30 days, so it isn’t known who sends as it.",
  });
});

test("an own sender that fails comes before strangers", () => {
  expect(toSendersStanding(sourcesOf(stranger, unset, { ...unset, key: "2" }), none)).toMatchObject({
    state: "bad",
    says: "SendGrid: All of 100 messages fail DMARC. Turn it on. 1 more sender fails.",
  });
  expect(toSendersStanding(sourcesOf(sender({ messages: 50_000, passed: 50_000 }), unset), none).state).toBe("warning");
});

test("strangers are stopped by a policy of reject, and a policy that isn't known stops nothing", () => {
  const sources = sourcesOf(sender({}), stranger, { ...stranger, key: "network:2" });
  expect(toSendersStanding(sources, none)).toMatchObject({
    state: "bad",
    says: "Mail in your name that fails DMARC (200 of 300 messages) comes from 2 senders. If none of them is yours, p=reject asks receivers to reject it.",
  });
  expect(toSendersStanding(sources, null).state).toBe("bad");
  expect(toSendersStanding(sourcesOf(sender({ messages: 5_000, passed: 5_000 }), stranger), null).state).toBe(
    "warning",
  );
  expect(toSendersStanding(sources, reject)).toMatchObject({
    state: "fine",
    says: "33.3% of mail passes DMARC. Your policy asks receivers to reject what fails, from 2 senders.",
  });
  expect(toSendersStanding(sourcesOf({ ...stranger, needs: "policy" }), none).says).toContain(
    "p=reject asks receivers to reject it.",
  );
});

test("what a sender that isn’t ours passes comes first, because no policy stops it", () => {
  const says = "You said that it isn’t yours, but 100 of 100 messages pass DMARC. Find out who set it up.";
  const signing = sender({ name: "Mailgun", mark: "ignored", needs: "find-out", says });
  expect(toSendersStanding(sourcesOf(unset, signing), reject)).toMatchObject({
    state: "bad",
    says: `Mailgun: ${says}`,
  });
});

test("a policy of reject doesn't stop what comes from subdomains with a milder one", () => {
  expect(toSendersStanding(sourcesOf(sender({}), stranger), { p: "reject", sp: "none" })).toMatchObject({
    state: "warning",
    says: "50.0% of mail passes DMARC. Your policy asks receivers to reject what fails, from 1 sender, but subdomains follow sp=none.",
  });
});

test("mail that fails and has no address isn't fine", () => {
  const sources = { ...sourcesOf(sender({})), messages: 1_000 };
  expect(toSendersStanding(sources, none)).toMatchObject({
    state: "warning",
    says: "10.0% of mail passes DMARC. Reports don’t say which addresses sent 900 of the messages that fail.",
  });
});

test("a muted problem is still open", () => {
  const fine = { state: "fine", says: "Fine.", page: "#senders" } as const;
  const muted = [{ title: "DKIM fails for selector s1", advice: "" }];
  expect(withMuted(fine, muted)).toMatchObject({ state: "warning", says: "DKIM fails for selector s1 (muted)." });
  expect(withMuted({ ...fine, state: "bad" }, muted).says).toBe("Fine.");
  expect(withMuted(fine, [])).toBe(fine);
});

test("notices that anyone may have made up are no rate", () => {
  expect(toComplaintsStanding({ notices: 500, authenticatedNotices: 0, isLearning: false })).toMatchObject({
    state: "unknown",
    says: "500 bounces and complaints in 35 days, none authenticated, so they don’t count.",
  });
});

test("no complaints are no rate, and a rate that is being learned isn't fine", () => {
  expect(toComplaintsStanding(null).state).toBe("unknown");
  expect(toComplaintsStanding({ notices: 0, authenticatedNotices: 0, isLearning: false }).state).toBe("unknown");
  expect(toComplaintsStanding({ notices: 4, authenticatedNotices: 4, isLearning: true }).state).toBe("unknown");
  expect(toComplaintsStanding({ notices: 4, authenticatedNotices: 4, isLearning: false })).toMatchObject({
    state: "fine",
    says: "4 bounces and complaints in 35 days, none of their rates too high.",
  });
});

test("an open problem says what to do, and how many more there are", () => {
  const problem = { title: "Complaint rate over 0.3%", advice: "Stop the campaign." };
  expect(toProblemStanding([])).toBeNull();
  expect(toProblemStanding([problem, problem])).toMatchObject({
    state: "bad",
    says: "Complaint rate over 0.3%. Stop the campaign. 1 more problem.",
  });
});

test("a next policy is a step only if reports show what it would do", () => {
  const policy = {
    record: "v=DMARC1; p=none",
    p: "none",
    sp: "none",
    np: "none",
    hasOwnSp: false,
    testing: false,
  } as const;
  const next = { p: "reject", sp: "reject", testing: false, tag: "p=reject", set: {}, remove: [], says: "" } as const;
  const coached = { policy, next, isSafe: true, reporters: 3, says: "p=reject is safe to publish next." } as const;
  expect(toPolicyStanding(coached, "/p")?.state).toBe("next");
  expect(toPolicyStanding({ ...coached, isSafe: null }, "/p")?.state).toBe("unknown");
  expect(toPolicyStanding({ ...coached, reporters: 0, isSafe: false }, "/p")?.state).toBe("unknown");
  expect(toPolicyStanding({ ...coached, next: null }, "/p")?.state).toBe("fine");
  expect(toPolicyStanding({ ...coached, policy: null }, "/p")).toBeNull();
});
