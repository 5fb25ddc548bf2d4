// What people type into the search of the handbook, and the page that should come first: whole questions, single words,
// codes, typing errors, and unfinished sentences.

import { describe, expect, test } from "vitest";
import { checkCatalog } from "../../../../src/analyzer/checks/catalog.ts";
import { toCatalogue } from "../../../../src/features/handbook/contract.ts";
import { createHandbook, toSearchEntries } from "../../../../src/features/handbook/routes/handbook.ts";
import { createSearch } from "../../../../src/features/handbook/routes/handbook-search.ts";
import { createOpenApi } from "../../../../src/platform/http/openapi.ts";
import { readHandbookFiles } from "../../../../src/platform/system/assets.ts";
import { routes } from "../../../../src/server.ts";

const openApi = createOpenApi(
  routes.map(({ endpoint }) => endpoint),
  "1.2.3",
);
const handbook = createHandbook(readHandbookFiles(), toCatalogue(checkCatalog).checks, openApi);
const search = createSearch(toSearchEntries(handbook, openApi));

/** The search was tuned with these. */
const questions: readonly (readonly [string, string])[] = [
  ["why does my mail go to spam", "mail-in-spam"],
  ["my mail goes to spam", "mail-in-spam"],
  ["emials land in junk folder", "mail-in-spam"],
  ["550 5.7.26", "bounce-codes"],
  ["what does 550 5.7.515 mean", "bounce-codes"],
  ["421 4.7.0 [TSS04] temporarily deferred", "bounce-codes"],
  ["S3150", "bounce-codes"],
  ["mailchimp says authenticated but assay doesnt", "not-authenticated"],
  ["domain verified in sendgrid but dmarc fails", "not-authenticated"],
  ["gmail no unsubscribe button", "no-unsubscribe-button"],
  ["unsubscribe link next to sender name missing in gm", "no-unsubscribe-button"],
  ["outlook broken", "broken-in-outlook"],
  ["newsletter looks wrong in outlok", "broken-in-outlook"],
  ["restore", "backup"],
  ["how to restore a bakup", "backup"],
  ["ptr", "fix-reverse-dns"],
  ["reverse dns missing", "fix-reverse-dns"],
  ["add a blocklist", "blocklists"],
  ["we are listed on spamhaus", "fix-blocklists"],
  ["invite a colleague", "account-email"],
  ["github actions", "ci"],
  ["api token for", "tokens"],
  ["too many dns lookups in spf", "fix-spf-lookups"],
  ["my provider blocks port 25", "without-port-25"],
  ["gmail cuts off my message", "fix-html-size"],
  ["who changed a setting", "audit-log"],
  ["alert to slack", "alerts"],
  ["lost my authenticator phone", "second-factor"],
  ["when can i switch dmarc to reject", "policy-coach"],
  ["Hi {{first_name}} in my mail", "fix-wording"],
];

/** Written before the search was last changed, or used to check that change. */
const later: readonly (readonly [string, string])[] = [
  ["how do i keep my newsletter out of the promotions folder", "placement"],
  ["save report as pdf for a client", "read-a-report"],
  ["what is a good score", "score"],
  ["turn on 2fa for the whole team", "second-factor"],
  ["our ip got blacklisted what now", "fix-blocklists"],
  ["which dkim selector do i need", "fix-dkim-key"],
  ["fetch mail from an imap mailbox", "without-port-25"],
  ["message was not encrypted in transit", "fix-tls"],
  ["user unknown", "bounce-codes"],
  ["yahoo keeps deferring our mails", "bounce-codes"],
  ["how often are my domains checked", "domains"],
  ["what does spf softfail mean", "fix-spf"],
  ["german umlauts come out as Ã¼", "fix-encoding"],
  ["update to latest version", "backup"],
  ["prometheus scrape needs a password", "monitoring"],
  ["post to a webhook when a test fails", "alerts"],
  ["block deploy if score below 80", "ci"],
  ["email too wide on iphone", "fix-rendering"],
  ["spam complaints too high", "feedback"],
  ["remove someone from our workspace", "account-email"],
  ["our newsletter looks terrible in dark mode", "fix-rendering"],
  ["sendgrid bounce events into assay", "provider-webhooks"],
  ["score dropped since last week", "streams"],
  ["can i use assay with claude", "mcp"],
  ["port 25 closed at hetzner", "without-port-25"],
  ["google sign in for employees", "organization-login"],
  ["alt texts", "fix-images"],
  ["is a noreply sender bad", "fix-sender-identity"],
  ["find all tests with score below 50", "search"],
  ["api rate limit", "api-guide"],
  ["how do i test a mailchimp campaign", "send-from"],
  ["what is dmarc alignment", "fix-alignment"],
  ["spf record has too many includes", "fix-spf-lookups"],
  ["dmarc report shows an ip i dont recognize", "feedback"],
  ["my emails have no text version", "fix-plain-text"],
  ["move assay to a new server", "backup"],
  ["how much ram do i need", "figures"],
  ["keycloak", "organization-login"],
  ["blue tick next to sender", "fix-bimi"],
  ["attachment docm rejected", "fix-attachments"],
  ["link shortener bit.ly bad", "fix-links"],
  ["forwarded emails fail dmarc", "forwarding"],
  ["set up s3 storage", "object-storage"],
  ["mta sts policy not found", "fix-mta-sts"],
  ["time in email header is wrong", "fix-delivery-path"],
  ["server says 421 disk space", "trouble"],
  ["stop getting so many slack alerts", "alerts"],
  ["does clicking unsubscribe really work", "unsubscribe"],
  ["what did the last version change", "changelog"],
];

/** Written afterwards, and never tuned with. */
const unseen: readonly (readonly [string, string])[] = [
  ["why is my mail from the web shop not signed", "fix-dkim"],
  ["our contact form mails go to junk", "mail-in-spam"],
  ["can outlook users see my background picture", "broken-in-outlook"],
  ["run two servers on one postgres", "scale"],
  ["smtp error 552 mailbox is full", "bounce-codes"],
  ["where do i see who complained", "feedback"],
  ["is my data encrypted", "security"],
  ["passkey login", "second-factor"],
  ["test that our cron report arrives each night", "expected-mail"],
  ["change default port", "settings"],
];

/** Written earlier, and not tuned with one by one. */
const others: readonly (readonly [string, string])[] = [
  ["respond with a 451 error to my mail server", "rehearsal"],
  ["alert when my mx record changes", "domains"],
  ["cant log in anymore forgot pw", "account-email"],
  ["signature doesnt verify after the mailing list footer", "fix-dkim-signature"],
  ["dark mode text unreadable", "fix-rendering"],
  ["is my newsletter in the promotons tab", "placement"],
  ["run with docker compose behind traefik", "production"],
  ["difference between ~all and -all", "fix-spf"],
  ["nightly backup mail didnt come", "expected-mail"],
  ["let my boss see the report without a login", "read-a-report"],
];

function firstPage(query: string): string | undefined {
  return /^\/docs\/([\w-]+)/.exec(search(query)[0]?.path ?? "")?.[1];
}

function missesOf(asked: typeof questions): string[] {
  return asked.flatMap(([query, page]) => {
    const found = firstPage(query);
    return found === page ? [] : [`${query}: ${found}, not ${page}`];
  });
}

describe("the search of the handbook", () => {
  test("the search of the handbook finds the right page first for at least 27 of 30 questions", () => {
    expect(questions).toHaveLength(30);
    const misses = missesOf(questions);
    expect(misses.length, misses.join("\n")).toBeLessThanOrEqual(3);
  });

  test("the search of the handbook finds the right page first for most of the questions that it was not tuned with", () => {
    for (const [asked, most] of [
      [unseen, 3],
      [others, 1],
      [later, 5],
    ] as const) {
      const misses = missesOf(asked);
      expect(misses.length, misses.join("\n")).toBeLessThanOrEqual(most);
    }
  });

  test("the search of the handbook finds an answer before the changelog, which names everything", () => {
    const asked = ["why did my score drop", "change base url"];
    expect(asked.map(firstPage)).not.toContain("changelog");
  });
});
