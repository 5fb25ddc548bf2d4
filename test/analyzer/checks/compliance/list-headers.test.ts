import { feedbackId } from "../../../../src/analyzer/checks/compliance/feedback-id.ts";
import { listHeaders } from "../../../../src/analyzer/checks/compliance/list-headers.ts";
import { listId } from "../../../../src/analyzer/checks/compliance/list-id.ts";
import { listUnsubscribe } from "../../../../src/analyzer/checks/compliance/list-unsubscribe.ts";
import { oneClick } from "../../../../src/analyzer/checks/compliance/one-click.ts";
import { known } from "../../../../src/analyzer/checks/fact.ts";
import { testCheck } from "../test-check.ts";
import { bulk, dkimFact, kindFact, letterFacts, listPost, mxRow, signature } from "./facts.ts";

const web = "<https://sender.example/u/1>";
const mail = "<mailto:leave@sender.example?subject=u>";
const unsubscribing = (value: string | null | readonly string[]) =>
  letterFacts({ headers: { "List-Unsubscribe": value } });

testCheck(listUnsubscribe, [
  { when: "passes with a web address and a mailto", facts: unsubscribing(`${web}, ${mail}`) },
  { when: "passes a fold between both", facts: unsubscribing(`${web},\r\n\t${mail}`) },
  {
    when: "passes uppercase letters and a fold within the URL",
    facts: unsubscribing("<HTTPS://sender.example/\r\n u/1>"),
  },
  {
    when: "finds a missing header",
    facts: unsubscribing(null),
    finds: ["missing"],
    fix: "Add both headers, signed with DKIM, with a token for each recipient and list: `List-Unsubscribe: <https://sender.example/u/TOKEN>` and `List-Unsubscribe-Post: List-Unsubscribe=One-Click`.",
  },
  {
    when: "does not ask for a List-Unsubscribe-Post header that is there",
    facts: letterFacts({
      headers: { "List-Unsubscribe": null, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    }),
    finds: ["missing"],
    fix: "Add it, signed with DKIM, with a token for each recipient and list: `List-Unsubscribe: <https://sender.example/u/TOKEN>`.",
  },
  {
    when: "tells the operators of a mailing list what its posts lack",
    facts: {
      ...letterFacts({ headers: { From: "Ann <ann@gmail.com>", Sender: "owner-talk@lists.example" } }),
      kind: listPost,
    },
    finds: ["missing"],
    says: "This mailing list post has no List-Unsubscribe header.",
    fix: "Only the list's operator can fix this. Configure the list software to add `List-Unsubscribe: <mailto:leave@lists.example>`, with its unsubscribe address.",
  },
  {
    when: "does not suggest a web page at a name that public DNS cannot have",
    facts: letterFacts({ headers: { From: "Parcels <info@parcels>" } }),
    finds: ["missing"],
    fix: "Add both headers, signed with DKIM, with a token for each recipient and list: `List-Unsubscribe: <https://example.com/u/TOKEN>` and `List-Unsubscribe-Post: List-Unsubscribe=One-Click`.",
  },
  {
    when: "does not suggest a web page at the domain of a free mailbox",
    facts: letterFacts({ headers: { From: "Ann <ann@gmail.com>" } }),
    finds: ["missing"],
    fix: "Add both headers, signed with DKIM, with a token for each recipient and list: `List-Unsubscribe: <https://example.com/u/TOKEN>` and `List-Unsubscribe-Post: List-Unsubscribe=One-Click`.",
  },
  {
    when: "finds an address without brackets",
    facts: unsubscribing("https://sender.example/u"),
    finds: ["unusable"],
    says: 'List-Unsubscribe is unusable: it has no https, http, or mailto URL in angle brackets ("https://sender.example/u").',
    fix: "Send one header with URLs in angle brackets: `List-Unsubscribe: <https://sender.example/u/TOKEN>, <mailto:unsubscribe@sender.example>`. For one-click unsubscribe, also add `List-Unsubscribe-Post: List-Unsubscribe=One-Click`.",
  },
  {
    when: "finds a repeated header",
    facts: unsubscribing([web, mail]),
    finds: ["unusable"],
    says: "List-Unsubscribe is unusable: it appears 2 times, and email clients may use any of them or none.",
  },
  { when: "finds brackets without a usable URL", facts: unsubscribing("<https://>, <mailto:>"), finds: ["unusable"] },
  { when: "finds only http", facts: unsubscribing("<http://sender.example/u>"), finds: ["insecure"] },
  { when: "passes http next to https", facts: unsubscribing(`<http://sender.example/u>, ${web}`) },
  {
    when: "finds a host that does not exist",
    facts: {
      ...unsubscribing(`${web}, ${mail}`),
      mx: [mxRow("sender.example", { exists: false, addresses: known([]) })],
    },
    finds: ["dead-host"],
    says: "The host sender.example in List-Unsubscribe does not resolve.",
  },
  {
    when: "finds a mailto whose domain receives no mail",
    facts: { ...unsubscribing(mail), mx: [mxRow("sender.example", { nullMx: true, addresses: null })] },
    finds: ["dead-host"],
  },
  {
    when: "does not judge a host without a DNS answer",
    facts: { ...unsubscribing(web), mx: [mxRow("sender.example", "timeout")] },
  },
  {
    when: "does not judge a host that was not looked up",
    facts: { ...unsubscribing(web), mx: [mxRow("sender.example", { addresses: null })] },
  },
]);

const post = "List-Unsubscribe=One-Click";
const clicking = (unsubscribe: string | null, ...posts: string[]) => ({
  ...letterFacts({ headers: { "List-Unsubscribe": unsubscribe, "List-Unsubscribe-Post": posts } }),
  kind: bulk,
});

testCheck(oneClick, [
  {
    when: "reports complete one-click if a signature covers both headers",
    facts: {
      ...clicking(web, post),
      dkim: dkimFact(signature({ headers: ["from"] }), signature({ domain: "esp.example" })),
    },
    finds: ["complete"],
    says: "One-click unsubscribe is set up and signed by esp.example.",
  },
  {
    when: "passes if no signature is valid, which another check reports",
    facts: { ...clicking(web, post), dkim: dkimFact(signature({ result: "fail" })) },
  },
  {
    when: "finds a missing List-Unsubscribe-Post",
    facts: clicking(web),
    finds: ["missing"],
    fix: "Add `List-Unsubscribe-Post: List-Unsubscribe=One-Click` and accept POST requests at https://sender.example/u/1.",
  },
  { when: "finds only a mailto", facts: clicking(mail, post), finds: ["mailto-only"] },
  {
    when: "finds another value",
    facts: clicking(web, "one-click"),
    finds: ["wrong-value"],
    says: 'List-Unsubscribe-Post has the wrong value "one-click".',
  },
  { when: "finds a repeated value", facts: clicking(web, post, post), finds: ["wrong-value"] },
  { when: "finds several https URLs", facts: clicking(`${web}, ${web}`, post), finds: ["several-https"] },
  {
    when: "finds headers that no valid signature covers",
    facts: { ...clicking(web, post), dkim: dkimFact(signature({ headers: ["from", "list-unsubscribe"] })) },
    finds: ["not-signed"],
    says: "No valid DKIM signature covers List-Unsubscribe-Post, so one-click unsubscribe does not count at Gmail and Yahoo, which require it from bulk senders.",
  },
  {
    when: "leaves out Yahoo if it can use an unsubscribe address",
    facts: {
      ...clicking(`${web}, ${mail}`, post),
      dkim: dkimFact(signature({ headers: ["from", "list-unsubscribe"] })),
    },
    finds: ["not-signed"],
    says: "No valid DKIM signature covers List-Unsubscribe-Post, so one-click unsubscribe does not count at Gmail, which requires it from bulk senders.",
  },
  {
    when: "is skipped while the signatures are unknown",
    facts: clicking(web, post),
    unknown: { dkim: "timeout" },
    outcome: "skipped",
  },
  {
    when: "is skipped while the key of the signature of both headers is unknown",
    facts: { ...clicking(web, post), dkim: dkimFact(signature({ result: "temperror" }), signature({ headers: [] })) },
    outcome: "skipped",
  },
  {
    when: "is skipped while the key of the only signature is unknown, even if it covers neither header",
    facts: { ...clicking(web, post), dkim: dkimFact(signature({ result: "temperror", headers: ["from"] })) },
    outcome: "skipped",
  },
  { when: "leaves a missing List-Unsubscribe to its own check", facts: clicking(null), outcome: "not-applicable" },
  {
    when: "leaves an unencrypted URL to its own check",
    facts: clicking("<http://sender.example/u>"),
    outcome: "not-applicable",
  },
  { when: "does not apply to a mailing list", facts: { ...clicking(web), kind: listPost }, outcome: "not-applicable" },
]);

const withId = (value: string | null | readonly string[]) => letterFacts({ headers: { "List-Id": value } });

testCheck(listId, [
  {
    when: "passes with a name in brackets",
    facts: withId("Weekly News <news.sender.example>"),
    says: "List-Id identifies the list: Weekly News <news.sender.example>.",
  },
  { when: "passes the number that Mailchimp uses", facts: withId("1a2b3cmc list <1a2b3c.123.list-id.mcsv.net>") },
  {
    when: "finds a missing List-Id",
    facts: withId(null),
    finds: ["missing"],
    fix: "Optional: add `List-Id: Ann <news.sender.example>`.",
  },
  { when: "finds a name without brackets", facts: withId("news.sender.example"), finds: ["malformed"] },
  { when: "finds a name without a dot", facts: withId("News <news>"), finds: ["malformed"] },
  {
    when: "finds a repeated List-Id",
    facts: withId(["<a.b.example>", "<a.b.example>"]),
    finds: ["malformed"],
    says: "List-Id is invalid: it appears 2 times.",
  },
]);

testCheck(listHeaders, [
  { when: "passes a message without list headers", facts: letterFacts() },
  {
    when: "passes a list that accepts no posts",
    facts: letterFacts({ headers: { "List-Post": "NO (posting not allowed)" } }),
  },
  {
    when: "passes valid headers",
    facts: letterFacts({
      headers: { "List-Help": "<mailto:help@a.example> (ask)", "List-Archive": "<https://a.example/>" },
    }),
  },
  {
    when: "finds an address without brackets",
    facts: letterFacts({ headers: { "List-Help": "https://a.example/help" } }),
    finds: ["malformed"],
    says: 'List-Help is invalid: "https://a.example/help" has no URL in angle brackets.',
  },
  {
    when: "finds each invalid header",
    facts: letterFacts({ headers: { "List-Help": "NO", "List-Owner": ["<a:b>", "<a:b>"] } }),
    finds: ["malformed", "malformed"],
  },
]);

const feedback = (value: string | null | readonly string[], kind = bulk) => ({
  ...letterFacts({ headers: { "Feedback-ID": value } }),
  kind,
});

testCheck(feedbackId, [
  { when: "passes a message without Feedback-ID", facts: feedback(null) },
  { when: "passes the Feedback-ID of a large service", facts: feedback("1.eu-west-1.abc=:AmazonSES") },
  {
    when: "finds an empty last field",
    facts: feedback("a:b:c:"),
    finds: ["malformed"],
    says: 'Gmail cannot use the Feedback-ID header: the last field of "a:b:c:" is empty.',
  },
  { when: "finds several Feedback-IDs", facts: feedback(["a:b:c:sender", "a:b:c:sender"]), finds: ["malformed"] },
  {
    when: "reports a short last field, and names the service to ask",
    facts: feedback("1:2:3:mc", kindFact("bulk", { esp: { name: "Mailchimp", shared: true, transactional: false } })),
    finds: ["field-length"],
    fix: "Use 5 to 15 characters in the last field, or ask Mailchimp to change it.",
  },
]);
