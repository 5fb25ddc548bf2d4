import { expect, test } from "vitest";
import { freemailProviderOf } from "../../../src/analyzer/checks/freemail-table.ts";

test.each([
  ["gmail.com", "Gmail"],
  ["GoogleMail.com", "Gmail"],
  ["hotmail.co.uk", "Outlook.com"],
  ["yahoo.co.jp", "Yahoo! JAPAN Mail"],
  ["web.de", "WEB.DE"],
  ["163.com", "NetEase Mail"],
])("a mailbox at %s is a free mailbox of %s", (domain, provider) => {
  expect(freemailProviderOf(domain)).toBe(provider);
});

test.each(["google.com", "mail.gmail.com", "zoho.com", "yahoo-inc.com", "a.example", ""])(
  "%s is not a free mailbox domain",
  (domain) => {
    expect(freemailProviderOf(domain)).toBeNull();
  },
);
