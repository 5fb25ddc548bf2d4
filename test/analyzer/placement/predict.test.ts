// The predicted placement of messages from a well-configured sender, and of the same messages with one problem.

import { describe, expect, test } from "vitest";
import { unknown } from "../../../src/analyzer/checks/fact.ts";
import { checks } from "../../../src/analyzer/checks/list.ts";
import { predictPlacement } from "../../../src/analyzer/placement/predict.ts";
import { type Prediction, providers } from "../../../src/analyzer/placement/provider.ts";
import { toRates } from "../../../src/analyzer/reports/contribution.ts";
import type { Letter } from "../domain-cases/verdict-world.ts";
import { byProvider, faultsIn, judge, listed, newsletter, receipt, toFolders } from "./given.ts";

const everywhere = (folder: string) => Object.fromEntries(providers.map((provider) => [provider, folder]));
const says = ({ reasons }: Prediction) => reasons.map(({ text }) => text).join("\n");
const rejecting = { "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@a.example"] } };
const withoutPolicy = { "_dmarc.a.example": { TXT: [] } };
const throughOther: Letter = { mailFrom: "bounce@esp.example", ip: "192.0.2.10", helo: "mail.esp.example" };

describe("an authenticated message", () => {
  test("an authenticated message goes to the inbox of all providers as a receipt, with reasons", async () => {
    const { placement, findings, gmail, generic } = await judge(receipt);
    expect(faultsIn(findings)).toEqual(["dkim-key-strength.short"]);
    expect(toFolders(placement)).toEqual(everywhere("inbox"));
    for (const { odds, confidence, reasons } of placement.predictions) {
      expect(odds.spam).toBeLessThan(0.05);
      expect(confidence).toBeGreaterThan(0.5);
      expect(reasons.length).toBeGreaterThan(1);
    }
    expect(says(gmail)).toContain("SPF and DKIM are both aligned with the From domain");
    expect(says(gmail)).toContain("land in the Updates tab. This tab is part of the inbox");
    expect(says(generic)).not.toContain("tab");
  });

  test("an authenticated message goes to the Promotions tab at Gmail as a newsletter, and to the inbox elsewhere", async () => {
    const { placement, kind, gmail } = await judge(newsletter);
    expect(kind?.kind).toBe("bulk");
    expect(toFolders(placement)).toEqual({ ...everywhere("inbox"), gmail: "promotions" });
    expect(says(gmail)).toContain("It has a List-Unsubscribe header");
    expect(says(gmail)).toContain("This tab is part of the inbox, not spam");
    const rates = toRates(placement.predictions);
    expect(rates.promo_rate).toBeCloseTo(1 / providers.length);
    expect(rates).toMatchObject({ inbox_rate: expect.closeTo(1 - 1 / providers.length), spam_rate: 0 });
  });

  test("an authenticated message goes to Gmail's Primary tab as a plain personal message", async () => {
    const { gmail } = await judge({ ...receipt, from: "Ann <ann@a.example>", body: "See you on Monday.\r\n" });
    expect(gmail.folder).toBe("inbox");
    expect(says(gmail)).toContain("land in the Primary tab.");
  });

  test("an authenticated message of a mailing list goes to Gmail's Forums tab, not to Promotions", async () => {
    const headers = ["List-Id: <talk.a.example>", "List-Post: <mailto:talk@a.example>"];
    const { gmail } = await judge({ ...newsletter, headers: [...(newsletter.headers ?? []), ...headers.slice(1)] });
    expect(gmail.folder).toBe("inbox");
    expect(says(gmail)).toContain("land in the Forums tab");
  });
});

test("a message with a program isn't in the inbox of the providers that reject programs", async () => {
  const headers = [
    'Content-Type: application/octet-stream; name="setup.exe"',
    'Content-Disposition: attachment; filename="setup.exe"',
    "Content-Transfer-Encoding: base64",
  ];
  const { placement } = await judge({ ...receipt, headers, body: "TVqQAAMAAAAEAAAA\r\n" });
  expect(toFolders(placement)).toMatchObject({
    gmail: "rejected 552 5.7.0",
    outlook: "rejected 550 5.0.350",
    yahoo: "inbox",
  });
});

describe("an unauthenticated message", () => {
  const unproven = { "a.example": { A: ["192.0.2.1"], TXT: ["v=spf1 -all"] } };

  test("an unauthenticated message is rejected by Gmail, Yahoo, and Apple, each with its own reply", async () => {
    const { placement, gmail } = await judge({ ...receipt, sign: [], zone: withoutPolicy }, unproven);
    expect(toFolders(placement)).toMatchObject({
      gmail: "rejected 550 5.7.26",
      outlook: "spam",
      yahoo: "rejected 550 5.7.9",
      icloud: "rejected 554 5.7.1 [HME1]",
    });
    expect(gmail.reasons[0]).toMatchObject({
      text: expect.stringMatching(/Gmail will likely reject mail like this: 550 5\.7\.26\.$/),
      change: expect.stringMatching(/./),
      finding: expect.stringMatching(/^(?:dkim|dmarc|spf)-/),
    });
    const large = placement.predictions.filter(({ provider }) => provider !== "generic");
    expect(toRates(large.slice(0, 4))).toMatchObject({ inbox_rate: 0, spam_rate: 1 });
  });

  test("an unauthenticated message is rejected by Outlook.com too if the domain's policy is reject", async () => {
    const { placement } = await judge({ ...receipt, sign: [] }, { ...unproven, ...rejecting });
    expect(toFolders(placement)).toMatchObject({ outlook: "rejected 550 5.7.509", generic: "spam" });
  });
});

describe("an authenticated message without alignment", () => {
  const foreign: Letter = { ...receipt, ...throughOther, sign: [] };

  test("an authenticated message without alignment is rejected under p=reject, with each provider's own code", async () => {
    const { placement, findings } = await judge(foreign, rejecting);
    expect(faultsIn(findings)).toContain("dmarc-result.policy-reject");
    expect(toFolders(placement)).toMatchObject({
      gmail: "rejected 550 5.7.26",
      outlook: "rejected 550 5.7.509",
      yahoo: "rejected 554 5.7.9",
      icloud: "rejected 550 5.7.1",
      generic: "spam",
    });
  });

  test("an authenticated message without alignment goes to spam under p=quarantine, because the domain asks for it", async () => {
    const { placement, gmail } = await judge(foreign);
    expect(toFolders(placement)).toEqual(everywhere("spam"));
    expect(gmail.reasons[0]?.text).toContain(
      "DMARC fails, and the domain's policy asks receivers to send such mail to spam.",
    );
  });
});

test("a message from an IP on the SBL is rejected by providers that use it", async () => {
  const { placement, findings, gmail } = await judge(receipt, listed);
  expect(faultsIn(findings)).toContain("ip-blocklist.listed");
  expect(toFolders(placement)).toMatchObject({
    gmail: "spam",
    outlook: "rejected 550 OU-001",
    yahoo: "rejected 553 5.7.1 [BL21]",
    icloud: "rejected 550 5.7.1",
    generic: "spam",
  });
  expect(gmail.odds.spam).toBeGreaterThan((await judge(receipt)).gmail.odds.spam);
  expect(says(gmail)).toContain("Spamhaus");
});

test("a bulk sender rule says whom it applies to, and leaves the other prediction open", async () => {
  const { gmail, yahoo, icloud } = await judge({ ...newsletter, zone: withoutPolicy });
  expect(gmail).toMatchObject({
    folder: expect.stringMatching(/^(?:inbox|promotions)$/),
    odds: { rejected: 0 },
    ifLarge: { folder: "rejected" },
  });
  expect(gmail.ifLarge?.reasons[0]?.text).toMatch(
    /will likely reject mail like this from senders of more than 5,000 messages a day: 550 5\.7\.40/,
  );
  expect(yahoo.ifLarge?.reasons[0]?.text).toContain("from bulk senders");
  expect(icloud).toMatchObject({ folder: "inbox" });
  expect(icloud.ifLarge).toBeUndefined();
  const single = await judge({ ...receipt, zone: withoutPolicy });
  expect(toFolders(single.placement)).toEqual(everywhere("inbox"));
});

test("a newsletter without List-Unsubscribe is predicted as spam only by Yahoo for bulk senders", async () => {
  const { placement, yahoo } = await judge({ ...newsletter, headers: ["List-Id: <news.a.example>"] });
  expect(toFolders(placement)).toEqual(everywhere("inbox"));
  expect(
    placement.predictions.flatMap(({ provider, ifLarge }) => (ifLarge ? [[provider, ifLarge.folder]] : [])),
  ).toEqual([["yahoo", "spam"]]);
  expect(yahoo.ifLarge?.reasons[0]?.text).toContain(
    "This bulk message has no List-Unsubscribe header. Yahoo will likely send mail like this from bulk senders to spam.",
  );
});

describe("a prediction with unknown facts", () => {
  test("a prediction with unknown facts has a lower confidence and the same folder, and names them", async () => {
    const all = await judge(receipt);
    const fewer = await judge(receipt, {}, []);
    expect(toFolders(fewer.placement)).toEqual(toFolders(all.placement));
    for (const provider of providers) {
      expect(fewer[provider].confidence).toBeLessThan(all[provider].confidence);
      expect(fewer[provider].odds).toEqual(all[provider].odds);
    }
    expect(says(fewer.gmail)).toContain("Unknown and not counted: IP blocklists");
  });

  test("a prediction with unknown facts keeps its confidence in a rejection", async () => {
    const broken: Letter = { ...receipt, ...throughOther, sign: [] };
    const [all, fewer] = [await judge(broken, rejecting), await judge(broken, rejecting, [])];
    expect(fewer.gmail.confidence).toBe(all.gmail.confidence);
  });

  test("a prediction with unknown facts is marked as a guess if all facts are unknown", () => {
    const names = new Set(checks.flatMap(({ needs, wants }) => [...needs, ...wants]));
    const facts = Object.fromEntries([...names].map((name) => [name, unknown("timeout")]));
    const outcomes = checks.map(({ id }) => ({ check: id, outcome: "skipped", why: "timeout" }) as const);
    for (const { folder, confidence, reasons } of predictPlacement({ facts, outcomes }).predictions) {
      expect({ folder, confidence }).toEqual({ folder: "inbox", confidence: 0 });
      expect(reasons.map(({ text }) => text).join()).toContain("this is a guess");
    }
  });

  test("a prediction with unknown facts never knows the provider's opinion of the sender, and says so", async () => {
    const { placement } = await judge(newsletter);
    for (const prediction of placement.predictions)
      expect(says(prediction)).toMatch(/A message does not show .+\. These unknowns may change the result\./);
  });
});

test("the most severe issue is the first reason, even if the message stays in the inbox", async () => {
  const body = "Thank you for your order 10023456.\r\nhttps://192.0.2.77/order and https://bit.ly/abc\r\n";
  const { gmail, yahoo } = await judge({ ...receipt, headers: ["X-Priority: 1"], body });
  expect(gmail.folder).toBe("inbox");
  expect(gmail.reasons.map(({ finding }) => finding)).toContain("link-address.numeric");
  expect(yahoo.reasons[0]?.text).toBe("The message is marked as high priority.");
  expect(yahoo.reasons.map(({ finding }) => finding)).not.toContain("link-shortener.public");
});

test("the odds of spam are the same at all providers, whose published rules make the difference", async () => {
  const { placement } = await judge({ ...newsletter, body: "Make money fast!!! Write to shop4711@gmail.com\r\n" });
  expect(new Set(placement.predictions.map(({ odds }) => odds.spam)).size).toBe(1);
});

test("the same message always gets the same prediction", async () => {
  const [one, other] = [await judge(newsletter), await judge(newsletter)];
  expect(one.placement).toEqual(other.placement);
  expect(byProvider(one.placement).gmail.provider).toBe("gmail");
});

describe("mail from a free mailbox through another server", () => {
  const borrowed = { ...receipt, from: "Shop <shop@gmail.com>" };
  const policy = (text: string) => ({
    "gmail.com": { A: ["192.0.2.90"], MX: [{ preference: 5, exchange: "mx.a.example" }] },
    "_dmarc.gmail.com": { TXT: [`v=DMARC1; ${text}`] },
  });

  test("mail from a free mailbox through another server is not rejected while the mailbox domain has no policy, but goes to spam at Gmail", async () => {
    const { placement } = await judge(borrowed, policy("p=none; sp=quarantine"));
    const folders = toFolders(placement);
    expect(folders).toMatchObject({ gmail: "spam" });
    expect(Object.values(folders).filter((folder) => folder.startsWith("rejected"))).toEqual([]);
  });

  test("mail from a free mailbox through another server is rejected if the mailbox domain asks for it", async () => {
    const { placement } = await judge(borrowed, policy("p=reject"));
    expect(toFolders(placement)).toMatchObject({
      gmail: "rejected 550 5.7.26",
      outlook: "rejected 550 5.7.509",
      yahoo: "rejected 554 5.7.9",
      icloud: "rejected 550 5.7.1",
    });
  });

  test("mail from a free mailbox through another server is rejected if nothing authenticates the sender", async () => {
    const unproven: Letter = { ...borrowed, ip: "192.0.2.77", sign: [] };
    const named = { "77.2.0.192.in-addr.arpa": { PTR: ["host.a.example"] }, "host.a.example": { A: ["192.0.2.77"] } };
    const { placement } = await judge(unproven, { ...policy("p=none"), ...named });
    expect(toFolders(placement)).toMatchObject({ gmail: "rejected 550 5.7.26" });
  });
});
