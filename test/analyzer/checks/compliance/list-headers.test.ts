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
  { when: "passes where a fold parts the two", facts: unsubscribing(`${web},\r\n\t${mail}`) },
  {
    when: "passes with an address in upper case and a fold within",
    facts: unsubscribing("<HTTPS://sender.example/\r\n u/1>"),
  },
  {
    when: "finds that none is there",
    facts: unsubscribing(null),
    finds: ["missing"],
    fix: "Add both headers, signed with DKIM, with a token for each recipient and list: `List-Unsubscribe: <https://sender.example/u/TOKEN>` and `List-Unsubscribe-Post: List-Unsubscribe=One-Click`.",
  },
  {
    when: "tells those who run a list what its posts lack",
    facts: {
      ...letterFacts({ headers: { From: "Ann <ann@gmail.com>", Sender: "owner-talk@lists.example" } }),
      kind: listPost,
    },
    finds: ["missing"],
    says: "This mailing list post has no List-Unsubscribe header.",
    fix: "Only the list's operator can fix this. Configure the list software to add `List-Unsubscribe: <mailto:leave@lists.example>`, with its unsubscribe address.",
  },
  {
    when: "asks nobody to serve pages at the domain of a free mailbox",
    facts: letterFacts({ headers: { From: "Ann <ann@gmail.com>" } }),
    finds: ["missing"],
    fix: "Add both headers, signed with DKIM, with a token for each recipient and list: `List-Unsubscribe: <https://example.com/u/TOKEN>` and `List-Unsubscribe-Post: List-Unsubscribe=One-Click`.",
  },
  {
    when: "finds an address without brackets",
    facts: unsubscribing("https://sender.example/u"),
    finds: ["unusable"],
    says: 'List-Unsubscribe is unusable: it has no https, http, or mailto URL in angle brackets ("https://sender.example/u").',
  },
  {
    when: "finds a repeated header",
    facts: unsubscribing([web, mail]),
    finds: ["unusable"],
    says: "List-Unsubscribe is unusable: it appears 2 times, and email clients may use any of them or none.",
  },
  {
    when: "finds brackets with nothing that leads anywhere",
    facts: unsubscribing("<https://>, <mailto:>"),
    finds: ["unusable"],
  },
  { when: "finds http alone", facts: unsubscribing("<http://sender.example/u>"), finds: ["insecure"] },
  { when: "passes http beside https", facts: unsubscribing(`<http://sender.example/u>, ${web}`) },
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
    when: "finds a mailto whose domain takes no mail",
    facts: { ...unsubscribing(mail), mx: [mxRow("sender.example", { nullMx: true, addresses: null })] },
    finds: ["dead-host"],
  },
  {
    when: "does not judge a host that was not heard of",
    facts: { ...unsubscribing(web), mx: [mxRow("sender.example", "timeout")] },
  },
  {
    when: "does not judge the web host of a domain whose addresses nobody asked for",
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
    when: "calls it complete when a signature covers both",
    facts: {
      ...clicking(web, post),
      dkim: dkimFact(signature({ headers: ["from"] }), signature({ domain: "esp.example" })),
    },
    finds: ["complete"],
    says: "One-click unsubscribe is set up and signed by esp.example.",
  },
  {
    when: "passes where no signature is valid, which is told elsewhere",
    facts: { ...clicking(web, post), dkim: dkimFact(signature({ result: "fail" })) },
  },
  {
    when: "finds that the Post header is missing",
    facts: clicking(web),
    finds: ["missing"],
    fix: "Add `List-Unsubscribe-Post: List-Unsubscribe=One-Click` and accept POST requests at https://sender.example/u/1.",
  },
  { when: "finds a mailto alone", facts: clicking(mail, post), finds: ["mailto-only"] },
  {
    when: "finds another value",
    facts: clicking(web, "one-click"),
    finds: ["wrong-value"],
    says: 'List-Unsubscribe-Post has the wrong value "one-click".',
  },
  { when: "finds a repeated value", facts: clicking(web, post, post), finds: ["wrong-value"] },
  { when: "finds several https addresses", facts: clicking(`${web}, ${web}`, post), finds: ["several-https"] },
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
    when: "is skipped while nothing is known of signatures",
    facts: clicking(web, post),
    unknown: { dkim: "timeout" },
    outcome: "skipped",
  },
  {
    when: "is skipped while the key of the signature that covers both is unknown",
    facts: { ...clicking(web, post), dkim: dkimFact(signature({ result: "temperror" }), signature({ headers: [] })) },
    outcome: "skipped",
  },
  {
    when: "is skipped while the key of the only signature is unknown, though it covers neither",
    facts: { ...clicking(web, post), dkim: dkimFact(signature({ result: "temperror", headers: ["from"] })) },
    outcome: "skipped",
  },
  { when: "leaves a missing List-Unsubscribe to its own check", facts: clicking(null), outcome: "not-applicable" },
  {
    when: "leaves an unencrypted address to its own check",
    facts: clicking("<http://sender.example/u>"),
    outcome: "not-applicable",
  },
  { when: "asks nothing of a mailing list", facts: { ...clicking(web), kind: listPost }, outcome: "not-applicable" },
]);

const withId = (value: string | null | readonly string[]) => letterFacts({ headers: { "List-Id": value } });

testCheck(listId, [
  {
    when: "passes with a name in brackets",
    facts: withId("Weekly News <news.sender.example>"),
    says: "List-Id identifies the list: Weekly News <news.sender.example>.",
  },
  { when: "passes a number of Mailchimp's", facts: withId("1a2b3cmc list <1a2b3c.123.list-id.mcsv.net>") },
  {
    when: "finds that none is there",
    facts: withId(null),
    finds: ["missing"],
    fix: "Optional: add `List-Id: Ann <news.sender.example>`.",
  },
  { when: "finds a name without brackets", facts: withId("news.sender.example"), finds: ["malformed"] },
  { when: "finds a name without a dot", facts: withId("News <news>"), finds: ["malformed"] },
  {
    when: "finds a repeated one",
    facts: withId(["<a.b.example>", "<a.b.example>"]),
    finds: ["malformed"],
    says: "List-Id is invalid: it appears 2 times.",
  },
]);

testCheck(listHeaders, [
  { when: "passes without any", facts: letterFacts() },
  {
    when: "passes a list that takes no posts",
    facts: letterFacts({ headers: { "List-Post": "NO (posting not allowed)" } }),
  },
  {
    when: "passes readable ones",
    facts: letterFacts({
      headers: { "List-Help": "<mailto:help@a.example> (ask)", "List-Archive": "<https://a.example/>" },
    }),
  },
  {
    when: "finds a bare address",
    facts: letterFacts({ headers: { "List-Help": "https://a.example/help" } }),
    finds: ["malformed"],
    says: 'List-Help is invalid: "https://a.example/help" has no URL in angle brackets.',
  },
  {
    when: "finds each that is wrong",
    facts: letterFacts({ headers: { "List-Help": "NO", "List-Owner": ["<a:b>", "<a:b>"] } }),
    finds: ["malformed", "malformed"],
  },
]);

const feedback = (value: string | null | readonly string[], kind = bulk) => ({
  ...letterFacts({ headers: { "Feedback-ID": value } }),
  kind,
});

testCheck(feedbackId, [
  { when: "passes without one", facts: feedback(null) },
  { when: "passes that of a large service", facts: feedback("1.eu-west-1.abc=:AmazonSES") },
  {
    when: "finds an empty last field",
    facts: feedback("a:b:c:"),
    finds: ["malformed"],
    says: 'Gmail cannot use the Feedback-ID header: the last field of "a:b:c:" is empty.',
  },
  { when: "finds several", facts: feedback(["a:b:c:sender", "a:b:c:sender"]), finds: ["malformed"] },
  {
    when: "tells of a short last field, and whom to ask",
    facts: feedback("1:2:3:mc", kindFact("bulk", { esp: { name: "Mailchimp", shared: true, transactional: false } })),
    finds: ["field-length"],
    fix: "Use 5 to 15 characters in the last field, or ask Mailchimp to change it.",
  },
]);
