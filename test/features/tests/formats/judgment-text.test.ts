import { describe, expect, test } from "vitest";
import type { Judgment } from "../../../../src/analyzer/reports/judgment.ts";
import { toText } from "../../../../src/features/tests/command/analysis-text.ts";
import { toJudgmentText } from "../../../../src/features/tests/formats/judgment-text.ts";
import { toStyle } from "../../../../src/features/tests/formats/style.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";
import { analyze, faulty, healthy, styleOf } from "../command/letters.ts";
import { finding, hostile, judgment } from "./judgments.ts";

function show(changes: Partial<Judgment>, columns: number | null = 80): string {
  return toJudgmentText({ judgment: judgment(changes) }, styleOf(columns));
}

describe("the report text", () => {
  test("a healthy message has the expected report text", async () => {
    expect(`\n${toText(await analyze(healthy), null, styleOf(80))}`).toMatchInlineSnapshot(`
      "
      From     Ann <ann@a.example>
      Subject  A question of  some length

      100 of 100, grade A · 92% of checks completed
      Type: personal (97% sure). It is plain text, which is typical of personal mail
      (+2.75). It is signed with the sender's name (+2). Its greeting looks personal
      ("Dear Bob") (+1). It ends with a sign-off ("Yours") (+1).

      ✓ Nothing to fix.

      Predicted placement (from published rules, not observed)
        Gmail            inbox       meets 9 of 9 rules, 1 not checked
        Outlook.com      inbox       meets 3 of 3 rules, 1 not checked
        Yahoo and AOL    inbox       meets 4 of 4 rules
        Apple (iCloud)   inbox       meets 5 of 5 rules, 1 not checked
        Other providers  inbox

      Good to know
        · Some headers not signed
          The a.example signature does not cover Content-Type.
        · Headers not oversigned
          The a.example signature does not stop someone from adding a second From or
          Subject header.
        · No BIMI record
          a.example has no BIMI record.
        · No IPv6 for incoming mail
          a.example accepts no mail over IPv6.

      Score by area: points, weight, checks passed
        Authentication            100  ██████████  30%  all 34 checks
        Sending host and domains  100  ███████···  20%  all 11 checks, 3 not completed
        Sender requirements       100  ██████████  14%  1 check
        Message format            100  ██████████  12%  all 16 checks
        Sender identity           100  ██████████   6%  all 6 checks
        Links and content         100  ████████··  10%  all 13 checks, 2 not completed

      Not checked (no effect on the score; --json lists each check)
        · Turned off (turn on blocklists with ASSAY_DNSBLS, scanners with
          ASSAY_RSPAMD_URL or ASSAY_SPAMD_ADDRESS): IP blocklists, Domain blocklists,
          Allowlist, Link blocklists, Spam filter scores.

      Evidence
      SPF          pass       a:mail.a.example in the record for a.example
      DKIM         pass       rsa2048._domainkey.a.example, aligned
      DMARC        pass       v=DMARC1; p=reject; rua=mailto:dmarc@a.example
      Reverse DNS  confirmed  mail.a.example resolves back to the address
      HELO         confirmed  mail.a.example resolves to the address
      "
    `);
  });

  test("a message with many issues has the expected report text", async () => {
    expect(`\n${toText(await analyze(faulty), null, styleOf(80))}`).toMatchInlineSnapshot(`
      "
      From     Ann <ann@a.example>
      Subject  A question of  some length

      46 of 100, grade F · 92% of checks completed
      Type: bulk (99% sure). It has a List-Unsubscribe header (+6). It is HTML, which
      is more common in bulk mail (+1.5). It has at least one image (−1 personal).

      9 issues to fix: 46 → 54 → 64 → 83 → 86 → 89 → 96 → 97 → 98 → 99
      Fix them in this order. The points are for each fix on its own.

       1  ✗ critical    +8  Bulk mail without DKIM signature
          This bulk message has no DKIM signature.
          Unlike SPF, DKIM survives forwarding. Fixes DKIM, DMARC, and the rejection
          at iCloud and Yahoo: 46 → 54.
          → Turn on DKIM for a.example at your mail server, and publish the key that
            it gives you at <selector>._domainkey.a.example.
          For your email service admin.
          Gmail rejects it with 550 5.7.26; iCloud rejects it with 554 5.7.1 [HME1].
          For bulk senders (about 5,000 messages a day): Outlook.com rejects it with
          550 5.7.515; Yahoo rejects it with 550 5.7.9.
          ↳ Neither SPF nor DKIM passes

       2  ✗ critical   +11  No reverse DNS
          198.51.100.99 has no reverse DNS (PTR record).
          Most large providers reject or defer mail from an IP without reverse DNS.
          Fixes reverse DNS, SPF, 1 more issue, and the rejection at Gmail and
          Outlook.com: 54 → 64.
          → Ask your hosting provider to set the PTR record for 198.51.100.99 to
            mail.a.example, and make mail.a.example resolve to 198.51.100.99.
                99.100.51.198.in-addr.arpa PTR mail.a.example.
                mail.a.example A 198.51.100.99
          For your mail server admin.
          Gmail defers it with 421 4.7.0, then 550 5.7.25 (over IPv6 550 5.7.1);
          Outlook.com rejects it with 550 5.7.25.
          ↳ SPF fails
          ↳ SPF fails for HELO name

       3  ✗ major       +3  No DMARC record
          There is no DMARC record at _dmarc.a.example or for any parent domain.
          Unless there is exactly one record, receivers act as if the domain had no
          policy. A parent domain's record counts too. Score: 64 → 83.
          → Publish a TXT record at _dmarc.a.example. Change the policy to
            p=quarantine once reports are clean.
                _dmarc.a.example TXT v=DMARC1; p=none; rua=mailto:dmarc@a.example
          For your DNS admin.
          For bulk senders (about 5,000 messages a day): Gmail rejects it with 550
          5.7.40 (421 4.7.40, or 4.7.31); Outlook.com rejects it with 550 5.7.515;
          Yahoo rejects it with 550 5.7.9.

       4  ✗ major       +3  Unreplaced merge tag
          The merge tag "{{first_name}}" was not replaced (in the HTML).
          Every recipient notices this mistake. Code, quoted messages, and intentional
          tags do not count. Score: 83 → 86.
          → Fill in the field, and set a default value in the template.
          For your content author.

       5  ✗ major       +3  No unsubscribe link
          The body has no visible unsubscribe link.
          Gmail, Yahoo, Microsoft, and Apple all ask for a visible unsubscribe link.
          Score: 86 → 89.
          → Add a link to the footer, in the language of the message, with a token for
            each recipient and list:
                <a href="https://a.example/u/TOKEN">Unsubscribe</a>
          For your content author.
          For bulk senders (about 5,000 messages a day): Gmail offers no help with
          delivery problems; Outlook.com recommends a fix; Yahoo recommends a fix;
          iCloud recommends a fix.

       6  ✗ major       +3  Misleading link text
          The link shows a.example but opens shop.example.
          A link that shows one site and opens another is typical of phishing. Your
          own click tracking, or your email service's, does not count. Score: 89 → 96.
          → Show the real address, or use descriptive link text.
          For your content author.

       7  ✗ minor           List-Unsubscribe has only mailto
          List-Unsubscribe has only a mailto URL. Yahoo accepts this, but Gmail does
          not.
          Gmail requires it from bulk senders, and Yahoo requires it or an unsubscribe
          email address. Mail without it is not rejected, but Gmail offers its sender
          no mitigation support. Score: 96 → 97.
          → Add an HTTPS URL and the List-Unsubscribe-Post header.
          For your email service admin.
          For bulk senders (about 5,000 messages a day): Gmail offers no help with
          delivery problems.

       8  ✗ minor           No plain-text part
          The message has HTML but no plain-text part.
          Watches, screen readers, and filters use the plain-text part. HTML-only mail
          is common, so this check costs few points. Score: 97 → 98.
          → Send multipart/alternative with text/plain first and text/html second.
          For your content author.

       9  ✗ minor           Image without alt text
          The image https://a.example/1.png has no alt text.
          When images are blocked, recipients see only the alt text. Also found:
          https://a.example/2.png. Score: 98 → 99.
          → Add:
                alt="What the image shows"
            or alt="" for a decorative image.
          For your content author.

      Predicted placement (from published rules, not observed)
        Gmail            rejected    meets 10 of 15 rules, 1 not checked
          This bulk message has no DKIM signature. Gmail will likely reject mail like
          this: 550 5.7.26.
        Outlook.com      rejected    meets 2 of 7 rules, 1 not checked
          198.51.100.99 has no reverse DNS (PTR record). Outlook.com will likely
          reject mail like this: 550 5.7.25.
        Yahoo and AOL    rejected    meets 3 of 7 rules
          Neither SPF nor DKIM passes, so a.example is not authenticated as the
          sender. Yahoo will likely reject mail like this: 550 5.7.9.
        Apple (iCloud)   rejected    meets 2 of 7 rules, 1 not checked
          This bulk message has no DKIM signature. iCloud will likely reject mail like
          this: 554 5.7.1 [HME1].
        Other providers  spam
          Neither SPF nor DKIM passes, so a.example is not authenticated as the
          sender.

      Good to know
        · HELO resolves to another address
          The HELO name mail.a.example resolves to 198.51.100.20, not to
          198.51.100.99.
        · No IPv6 for incoming mail
          a.example accepts no mail over IPv6.
        · No List-Id header
          The message has no List-Id header.
        · No mobile viewport tag
          The HTML has no viewport tag.
        · No dark-mode styles
          The HTML has no dark-mode styles.

      Score by area: points, weight, checks passed
        Authentication             16  █░░░░░░░░░  30%  9 of 14 checks
        Sending host and domains   55  ███░░░░···  20%  8 of 9 checks, 3 not completed
        Sender requirements        74  ███████░░░  14%  8 of 10 checks
        Message format             92  █████████░  12%  16 of 17 checks
        Sender identity           100  ██████████   6%  all 7 checks
        Links and content          50  ████░░░░░·  10%  19 of 21 checks, 3 not completed
        Rendering                 100  ██████████   5%  all 7 checks
        Accessibility              96  █████████░   3%  6 of 7 checks

      Not checked (no effect on the score; --json lists each check)
        · Turned off (turn on blocklists with ASSAY_DNSBLS, scanners with
          ASSAY_RSPAMD_URL or ASSAY_SPAMD_ADDRESS): IP blocklists, Domain blocklists,
          Allowlist, Link blocklists, Spam filter scores.
        · The domain is a name for tests, which has no DNS records: Link hosts
          resolve.

      Evidence
      SPF          fail         -all in the record for a.example
      DKIM         none         no signature
      DMARC        none         There is no DMARC record at _dmarc.a.example or above
                                it; neither SPF nor DKIM passes for a.example
      Reverse DNS  none         no PTR record
      HELO         unconfirmed  mail.a.example does not resolve to the address
      "
    `);
  });
});

describe("the order of issues", () => {
  const findings = [
    finding("one.critical", { severity: "critical" }),
    finding("two.major"),
    finding("three.minor", { severity: "minor" }),
  ];
  const score = { composite: 40, mean: 60, coverage: 1, areas: [], limit: null };

  test("the order of issues is that of the plan, with the points that each fix gains", () => {
    const plan = [
      { finding: "two.major", composite: 48.8, gain: 3, unlocks: 60, reason: "cap", cap: null },
      { finding: "one.critical", composite: 90, gain: 3, unlocks: null, reason: "severity", cap: null },
    ] as const;
    const heads = show({ findings, score, plan })
      .split("\n")
      .filter((line) => /^ ?\d/.test(line));
    expect(heads).toEqual([
      "40 of 100, grade F · 100% of checks completed",
      "3 issues to fix: 40 → 48 → 90",
      " 1  ✗ major       +3  Title two.major",
      " 2  ✗ critical    +3  Title one.critical",
      " 3  ✗ minor       +3  Title three.minor",
    ]);
  });

  test("the order of issues says what each fix cures, and how the score rises", () => {
    const step = { gain: 0, unlocks: null, reason: "rejected", cap: null } as const;
    const plan = [
      { ...step, finding: "two.major", composite: 40.9, cures: ["one.critical"], providers: ["gmail", "yahoo"] },
      { ...step, finding: "three.minor", composite: 97, cures: [] },
    ] as const;
    const owned = findings.map((one) => (one.id === "one.critical" ? { ...one, ownedBy: "two.major" as const } : one));
    const text = show({ findings: owned, score, plan }, null);
    expect(text).toContain("2 issues to fix: 40 → 97");
    expect(text).toContain("Fixes 1 more issue and the rejection at Gmail and Yahoo: 40 → 97 with the next fix.");
    expect(text).toContain("Score: 40 → 97.");
  });

  test("the order of issues puts each consequence once below its cause", () => {
    const owned = [
      finding("cause.found"),
      finding("effect.found", { ownedBy: "cause.found" }),
      finding("late.found", { ownedBy: "effect.found", severity: "info" }),
      finding("lost.found", { ownedBy: "nowhere.found" }),
    ];
    const text = show({ findings: owned });
    expect(text.match(/^ *[12↳].*found$/gm)).toEqual([
      " 1  ✗ major       +3  Title cause.found",
      "    ↳ Title effect.found",
      "    ↳ Title late.found",
      " 2  ✗ major       +3  Title lost.found",
    ]);
    expect(text).not.toContain("Good to know");
  });

  test("the order of issues loses no finding in a loop of causes", () => {
    const circle = [finding("a.found", { ownedBy: "b.found" }), finding("b.found", { ownedBy: "a.found" })];
    const text = show({ findings: circle });
    for (const { title } of circle) expect(text.split(title)).toHaveLength(2);
  });
});

test("other occurrences of an issue are named, and the rest is counted", () => {
  const occurrences = ["a", "b", "c", "d", "e", "f", "g"].map((subject) => ({
    subject,
    says: "It is wrong.",
    fix: null,
    evidence: {},
  }));
  expect(show({ findings: [finding("x.y", { occurrences, leftOut: 3 })] }, null)).toContain(
    "Also found: b, c, d, e, f and 4 more.",
  );
});

test("a provider's rejection is shown with the expected reply, separately for bulk senders", () => {
  const gates = [
    { provider: "gmail", sender: "any", reply: "550 5.7.26" },
    { provider: "yahoo", sender: "any", may: true, reply: "421 4.7.0" },
    { provider: "outlook", sender: "bulk", reply: "550 5.7.515" },
    { provider: "yahoo", sender: "bulk", reply: "spam folder" },
  ] as const;
  const text = show({ findings: [finding("x.y", { gates })] }, null);
  expect(text).toContain("    Gmail rejects it with 550 5.7.26; Yahoo may defer it with 421 4.7.0.\n");
  expect(text).toContain(
    "    For bulk senders (about 5,000 messages a day): Outlook.com rejects it with 550 5.7.515; Yahoo likely sends it to spam.",
  );
});

test("a score of few checks does not look like a pass", () => {
  const area = { area: "format", score: 100, weight: 12, coverage: 0.2 } as const;
  const skipped = [{ check: "charset", why: "timeout" }] as const;
  const text = show({
    skipped,
    passes: [{ check: "date-header", says: "It is there." }],
    score: { composite: 100, mean: 100, coverage: 0.2, areas: [area], limit: null },
  });
  expect(text).toContain("100 of 100, provisional: only 20% of checks completed");
  expect(text).toContain("No issues found in the completed checks.");
  expect(text).toContain("100  ██········  12%  1 check, 1 not completed");
  expect(text).toContain("  · DNS did not respond: Character set.");
});

test("there is no score without facts", () => {
  const score = { composite: null, mean: null, coverage: 0, areas: [], limit: null };
  expect(show({ score })).toContain("No score: only 0% of checks completed");
});

test("a hostile text cannot control the terminal", () => {
  const findings = [
    finding("x.y", { says: hostile, fix: `Remove ${hostile}, or write \`${hostile} now\`.` }),
    finding("x.z", { says: hostile, severity: "info" }),
  ];
  const text = show({ findings });
  for (const character of ["\u001b", "\r", "\u202e", "\u0000", "\ud800"]) expect(text).not.toContain(character);
  expect(text).toContain("\\u001b");
});

test("no line except a record is wider than the terminal", async () => {
  const { report } = await analyze(faulty);
  const lines = toJudgmentText(report ?? { judgment: judgment() }, styleOf(60)).split("\n");
  const records = /v=spf1|v=DMARC1|_dmarc|_domainkey|<a href/;
  expect(lines.filter((line) => line.length > 60 && !records.test(line) && !/\d% {2}/.test(line))).toEqual([]);
});

test("a color terminal shows colors and the same words", async () => {
  const { report } = await analyze(faulty);
  const coloured = toStyle({ ...testTerminal({ LANG: "en_GB.UTF-8" }), colour: true });
  const text = toJudgmentText(report ?? { judgment: judgment() }, coloured);
  expect(text).toContain("\u001b[1;31m");
  const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
  expect(text.replace(colours, "")).toBe(toJudgmentText(report ?? { judgment: judgment() }, styleOf()));
});

test.each([{}, { LANG: "C" }, { LANG: "en_GB.UTF-8", LC_ALL: "POSIX" }, { LANG: "C.UTF-8", TERM: "linux" }])(
  "a terminal with %o gets ASCII signs",
  async (environment: Record<string, string>) => {
    const { report } = await analyze(healthy);
    const text = toJudgmentText(report ?? { judgment: judgment() }, toStyle(testTerminal(environment)));
    expect(text).not.toMatch(/[^\u0020-\u007e\n]/);
    expect(text).toContain("+ Nothing to fix.");
  },
);

test("many incomplete checks are counted by area, and only a few are named", () => {
  const ids = ["spf-record", "spf-syntax", "spf-lookups", "spf-end", "spf-result", "spf-helo"];
  const skipped = ids.map((check) => ({ check, why: "no-session" as const }));
  const partly = [{ check: "ptr-record", lacks: "helo" as const, why: "timeout" as const }];
  const text = show({ skipped, partly }, null);
  expect(text).toContain(
    "sender's session is unknown (use --ip, --helo, and --mail-from): 6 checks (6 in Authentication).",
  );
  expect(text).toContain("DNS did not respond: Reverse DNS (partly).");
  for (const id of [...ids, "ptr-record"]) expect(text).not.toContain(id);
});

test("a terminal shows code without backticks", () => {
  const marked = finding("client-support.element", {
    says: "`<video>` is not displayed.",
    why: "Some ignore `<style>`.",
    fix: "Add an image inside `<video>`.",
  });
  expect(show({ findings: [marked] })).not.toContain("`");
});
