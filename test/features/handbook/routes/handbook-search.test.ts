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

/** Written afterwards, and never tuned with. */
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

  test("the search of the handbook finds the right page first for at least 7 of 10 questions that it was not tuned with", () => {
    const misses = missesOf(others);
    expect(misses.length, misses.join("\n")).toBeLessThanOrEqual(3);
  });

  test("the search of the handbook finds an answer before the changelog, which names everything", () => {
    const asked = ["why did my score drop", "change base url"];
    expect(asked.map(firstPage)).not.toContain("changelog");
  });
});
