// The DNS lists that an operator can choose from, and what their answers mean. Sources: the owners' pages and, where those
// say nothing, the rules of SpamAssassin 4 and rspamd (November 2026).
//
// A code is the address that a list returns. Each part is a number, a range `4-7`, `*` for any, or `&8` for a bit that is
// set. The codes of a list are sorted worst first, and the first match counts.

/** How much a listing of an address matters: harm, a range that should send no mail, a minor list, whole networks. */
type AddressClass = "major" | "policy" | "minor" | "broad";
/** A domain that does harm, one that was compromised, or one that is only watched. */
type DomainClass = "bad" | "abused" | "grey";
type TrustLevel = "none" | "low" | "medium" | "high";

export type Code<Class extends string> = { readonly code: string; readonly class: Class; readonly meaning: string };

type Common = {
  /** The first is the recommended one. `<key>` is the key that the owner gives each subscriber. */
  readonly zones: readonly string[];
  readonly name: string;
  /** Answers that refuse our queries. 127.255.255.x does so for every list. */
  readonly refusals?: readonly string[];
  /** The answer of its test entry, if that would otherwise count as a refusal. */
  readonly testCode?: string;
  readonly delistUrl: string | null;
  /** The owner's terms of use. */
  readonly terms: string;
};

type AddressList = Common & {
  readonly kind: "address";
  readonly ipv6: boolean;
  readonly codes: readonly Code<AddressClass>[];
};

type AllowList = Common & {
  readonly kind: "allow";
  readonly ipv6: boolean;
  readonly codes: readonly Code<TrustLevel>[];
  /** What the third part of an answer says about the sender. */
  readonly categories?: Readonly<Record<number, string>>;
};

type DomainList = Common & {
  readonly kind: "domain";
  /** Whether to query the name as found, or its registrable domain. */
  readonly asks: "host" | "registrable";
  /** The owner's test entry, if it differs from `test` of RFC 5782. */
  readonly testName?: string;
  readonly codes: readonly Code<DomainClass>[];
};

export type ListRow = AddressList | AllowList | DomainList;

const ownResolver = "through your own resolver, not a public one";
const spamhausTerms = `free for low-volume, non-commercial use ${ownResolver}; otherwise with a key (Data Query Service)`;
const spamhausDelisting = "https://check.spamhaus.org/";

export const listRows: readonly ListRow[] = [
  {
    kind: "address",
    zones: [
      "zen.spamhaus.org",
      "sbl.spamhaus.org",
      "xbl.spamhaus.org",
      "sbl-xbl.spamhaus.org",
      "pbl.spamhaus.org",
      "<key>.zen.dq.spamhaus.net",
      "<key>.sbl.dq.spamhaus.net",
      "<key>.xbl.dq.spamhaus.net",
      "<key>.sbl-xbl.dq.spamhaus.net",
      "<key>.pbl.dq.spamhaus.net",
    ],
    name: "Spamhaus ZEN",
    ipv6: true,
    codes: [
      { code: "127.0.0.9", class: "major", meaning: "DROP: network run by criminals" },
      { code: "127.0.0.30", class: "major", meaning: "BCL: botnet controller" },
      { code: "127.0.0.2", class: "major", meaning: "SBL: spam source, listed manually" },
      { code: "127.0.0.3", class: "major", meaning: "CSS: spam source, listed automatically" },
      { code: "127.0.0.4-7", class: "major", meaning: "XBL: hijacked or infected machine" },
      { code: "127.0.0.10", class: "policy", meaning: "PBL: should not send mail directly, according to its provider" },
      { code: "127.0.0.11", class: "policy", meaning: "PBL: end-user range, according to Spamhaus" },
    ],
    delistUrl: spamhausDelisting,
    terms: spamhausTerms,
  },
  {
    kind: "address",
    zones: ["<key>.authbl.dq.spamhaus.net"],
    name: "Spamhaus AuthBL",
    ipv6: true,
    codes: [{ code: "127.0.0.20", class: "minor", meaning: "tries stolen passwords" }],
    delistUrl: spamhausDelisting,
    terms: "with a key (Data Query Service)",
  },
  {
    kind: "address",
    zones: ["bl.spamcop.net"],
    name: "SpamCop",
    ipv6: false,
    codes: [{ code: "127.0.0.2", class: "minor", meaning: "reported for spam, delisted automatically within a day" }],
    delistUrl: "https://www.spamcop.net/bl.shtml",
    terms: "free",
  },
  {
    kind: "address",
    zones: ["b.barracudacentral.org"],
    name: "Barracuda",
    ipv6: false,
    codes: [{ code: "127.0.0.2", class: "minor", meaning: "poor reputation" }],
    delistUrl: "https://www.barracudacentral.org/rbl/removal-request",
    terms: "free after you register the IP of your resolver",
  },
  {
    kind: "address",
    zones: ["<key>.combined.mail.abusix.zone", "<key>.black.mail.abusix.zone"],
    name: "Abusix",
    ipv6: true,
    codes: [
      { code: "127.0.0.2", class: "minor", meaning: "sent mail to spam traps" },
      { code: "127.0.0.3", class: "minor", meaning: "very low reputation" },
      { code: "127.0.0.200", class: "minor", meaning: "listed manually" },
      { code: "127.0.0.4", class: "minor", meaning: "infected or hijacked machine" },
      { code: "127.0.0.11", class: "minor", meaning: "reverse DNS looks like an end user" },
      { code: "127.0.0.12", class: "minor", meaning: "no reverse DNS" },
    ],
    delistUrl: "https://app.abusix.com/lookup",
    terms: "with a key, free for low-volume use",
  },
  {
    kind: "address",
    zones: ["bl.mailspike.net", "z.mailspike.net"],
    name: "Mailspike",
    ipv6: false,
    codes: [
      { code: "127.0.0.2", class: "minor", meaning: "part of a spam wave" },
      { code: "127.0.0.10", class: "minor", meaning: "worst reputation" },
      { code: "127.0.0.11", class: "minor", meaning: "very bad reputation" },
      { code: "127.0.0.12", class: "minor", meaning: "bad reputation" },
    ],
    delistUrl: "https://mailspike.org/iplookup.html",
    terms: "free under 100,000 queries a day",
  },
  {
    kind: "address",
    zones: ["bl.score.senderscore.com"],
    name: "Validity",
    ipv6: false,
    codes: [
      { code: "127.0.0.&4", class: "minor", meaning: "sent mail to pristine spam traps" },
      { code: "127.0.0.&1", class: "minor", meaning: "behaves like a bot" },
      { code: "127.0.0.&8", class: "minor", meaning: "sent suspicious attachments" },
      { code: "127.0.0.&2", class: "minor", meaning: "sends without authentication" },
      { code: "127.0.0.&16", class: "minor", meaning: "low sender score" },
    ],
    delistUrl: "https://senderscore.org/",
    terms: "with an account; a few queries are free",
  },
  {
    kind: "address",
    zones: ["psbl.surriel.com"],
    name: "Passive Spam Block List",
    ipv6: false,
    codes: [{ code: "127.0.0.2", class: "minor", meaning: "sent mail to spam traps" }],
    delistUrl: "https://psbl.org/remove",
    terms: "free",
  },
  {
    kind: "address",
    zones: ["dnsbl.dronebl.org"],
    name: "DroneBL",
    ipv6: true,
    codes: [
      { code: "127.0.0.6-7", class: "minor", meaning: "machine that spams or attacks" },
      { code: "127.0.0.3-5", class: "minor", meaning: "infected machine" },
      { code: "127.0.0.8-11", class: "minor", meaning: "open proxy" },
      { code: "127.0.0.12-19", class: "minor", meaning: "abused machine or service" },
    ],
    delistUrl: "https://dronebl.org/lookup",
    terms: "free",
  },
  {
    kind: "address",
    zones: ["bl.spameatingmonkey.net"],
    name: "Spam Eating Monkey",
    ipv6: false,
    codes: [{ code: "127.0.0.2-3", class: "minor", meaning: "sent mail to spam traps" }],
    delistUrl: "https://spameatingmonkey.com/lookup",
    terms: "free under 100,000 queries a day",
  },
  {
    kind: "address",
    zones: ["bl.blocklist.de"],
    name: "blocklist.de",
    ipv6: false,
    codes: [
      { code: "127.0.0.2", class: "minor", meaning: "sent spam" },
      { code: "127.0.0.9", class: "minor", meaning: "attacked a mail server" },
      { code: "127.0.0.19", class: "minor", meaning: "sent mail to spam traps" },
      { code: "127.0.0.3-22", class: "minor", meaning: "attacked a server within the last two days" },
    ],
    delistUrl: "https://www.blocklist.de/en/delist.html",
    terms: "free",
  },
  {
    kind: "address",
    zones: ["dyna.spamrats.com", "noptr.spamrats.com", "spam.spamrats.com"],
    name: "SpamRATS",
    ipv6: false,
    codes: [
      { code: "127.0.0.38", class: "minor", meaning: "sends spam" },
      { code: "127.0.0.36", class: "minor", meaning: "reverse DNS looks like an end user" },
      { code: "127.0.0.37", class: "minor", meaning: "no reverse DNS" },
    ],
    delistUrl: "https://www.spamrats.com/removal.php",
    terms: "free for low-volume use",
  },
  {
    kind: "address",
    zones: ["all.s5h.net", "bip.virusfree.cz", "truncate.gbudb.net", "rbl.interserver.net"],
    name: "S5H, virusfree.cz, GBUdb, InterServer",
    ipv6: false,
    codes: [{ code: "127.0.0.2", class: "minor", meaning: "sent spam" }],
    delistUrl: null,
    terms: "free",
  },
  {
    kind: "address",
    zones: ["dnsbl-1.uceprotect.net"],
    name: "UCEPROTECT 1",
    ipv6: false,
    codes: [{ code: "127.0.0.2", class: "minor", meaning: "sent mail to spam traps within a week" }],
    delistUrl: "https://www.uceprotect.net/en/rblcheck.php",
    terms: "free",
  },
  {
    kind: "address",
    zones: ["dnsbl-2.uceprotect.net", "dnsbl-3.uceprotect.net"],
    name: "UCEPROTECT 2 and 3",
    ipv6: false,
    codes: [{ code: "127.0.0.2", class: "broad", meaning: "whole network or provider listed" }],
    delistUrl: null,
    terms: "free, but say little about a single sender",
  },
  {
    kind: "domain",
    zones: ["dbl.spamhaus.org", "<key>.dbl.dq.spamhaus.net"],
    name: "Spamhaus DBL",
    // It lists whole domains by wildcard, and single compromised hosts.
    asks: "host",
    testName: "dbltest.com",
    refusals: ["127.0.1.255"],
    codes: [
      { code: "127.0.1.6", class: "bad", meaning: "controls a botnet" },
      { code: "127.0.1.5", class: "bad", meaning: "spreads malware" },
      { code: "127.0.1.4", class: "bad", meaning: "phishing" },
      { code: "127.0.1.2", class: "bad", meaning: "spam, or low reputation" },
      { code: "127.0.1.106", class: "abused", meaning: "compromised, controls a botnet" },
      { code: "127.0.1.105", class: "abused", meaning: "compromised, spreads malware" },
      { code: "127.0.1.104", class: "abused", meaning: "compromised, used for phishing" },
      { code: "127.0.1.103", class: "abused", meaning: "abused redirector" },
      { code: "127.0.1.102", class: "abused", meaning: "compromised, used for spam" },
    ],
    delistUrl: spamhausDelisting,
    terms: spamhausTerms,
  },
  {
    kind: "domain",
    zones: ["<key>.zrd.dq.spamhaus.net"],
    name: "Spamhaus ZRD",
    asks: "host",
    testName: "dbltest.com",
    refusals: ["127.0.2.255"],
    codes: [{ code: "127.0.2.2-24", class: "grey", meaning: "first seen within the last 24 hours" }],
    delistUrl: null,
    terms: "with a key (Data Query Service)",
  },
  {
    kind: "domain",
    zones: ["multi.surbl.org"],
    name: "SURBL",
    asks: "registrable",
    testName: "surbl-org-permanent-test-point.com",
    refusals: ["127.0.0.&1"],
    codes: [
      { code: "127.0.0.&8", class: "bad", meaning: "PH: phishing" },
      { code: "127.0.0.&16", class: "bad", meaning: "MW: spreads malware" },
      { code: "127.0.0.&64", class: "bad", meaning: "ABUSE: advertised in spam" },
      { code: "127.0.0.&128", class: "bad", meaning: "CR: cracked site" },
      { code: "127.0.0.&4", class: "grey", meaning: "DM: disposable email addresses" },
      { code: "127.0.0.&32", class: "grey", meaning: "CT: click tracker" },
    ],
    delistUrl: "https://surbl.org/surbl-analysis",
    terms: `free for low-volume use ${ownResolver}`,
  },
  {
    kind: "domain",
    zones: ["multi.uribl.com"],
    name: "URIBL",
    asks: "registrable",
    testName: "test.uribl.com",
    refusals: ["127.0.0.&1"],
    codes: [
      { code: "127.0.0.&2", class: "bad", meaning: "black: belongs to spammers" },
      { code: "127.0.0.&4", class: "grey", meaning: "grey: seen in unwanted bulk mail" },
      { code: "127.0.0.&8", class: "grey", meaning: "red: new, and seen in mail" },
    ],
    delistUrl: "https://admin.uribl.com/",
    terms: `free for low-volume use ${ownResolver}`,
  },
  {
    kind: "domain",
    zones: ["uribl.spameatingmonkey.net"],
    name: "Spam Eating Monkey's domains",
    asks: "registrable",
    codes: [{ code: "127.0.0.&2", class: "grey", meaning: "seen in spam" }],
    delistUrl: "https://spameatingmonkey.com/lookup",
    terms: "free under 100,000 queries a day",
  },
  {
    kind: "domain",
    zones: ["fresh15.spameatingmonkey.net"],
    name: "Spam Eating Monkey's new domains",
    asks: "registrable",
    codes: [{ code: "127.0.0.&2", class: "grey", meaning: "registered within the last 15 days" }],
    delistUrl: null,
    terms: "free under 100,000 queries a day",
  },
  {
    kind: "allow",
    zones: ["list.dnswl.org"],
    name: "DNSWL",
    ipv6: true,
    // To those who exceed its limits, DNSWL answers that every address is trusted, in category 10. Its test entry does too.
    refusals: ["127.0.0.255", "127.0.10.*"],
    testCode: "127.0.10.0",
    codes: [
      { code: "127.0.*.3", class: "high", meaning: "highly trusted" },
      { code: "127.0.*.2", class: "medium", meaning: "trusted" },
      { code: "127.0.*.1", class: "low", meaning: "slightly trusted" },
      { code: "127.0.*.0", class: "none", meaning: "known" },
    ],
    categories: {
      2: "financial services",
      3: "email service providers",
      4: "organizations",
      5: "network providers",
      6: "personal servers",
      7: "travel",
      8: "public sector",
      9: "media and technology",
      11: "education",
      12: "health care",
      13: "manufacturing",
      14: "retail and services",
      15: "email marketing",
      20: "added by their owners",
    },
    delistUrl: null,
    terms: "free under 100,000 queries a day",
  },
  {
    kind: "allow",
    zones: ["wl.mailspike.net"],
    name: "Mailspike allowlist",
    ipv6: false,
    codes: [
      { code: "127.0.0.19-20", class: "high", meaning: "excellent or very good reputation" },
      { code: "127.0.0.18", class: "medium", meaning: "good reputation" },
      { code: "127.0.0.17", class: "low", meaning: "possibly good" },
    ],
    delistUrl: null,
    terms: "free under 100,000 queries a day",
  },
];

/** The weight of a list that is not in the table is unknown, so it counts little. */
export const ownList = {
  // RFC 5782 §2.1: no list should use this for a listing. Several use it to refuse a query.
  refusals: ["127.0.0.1"],
  addressCodes: [{ code: "127.*.*.*", class: "minor", meaning: "listed" }],
  domainCodes: [{ code: "127.*.*.*", class: "grey", meaning: "listed" }],
} as const;

/** Why a zone, or all zones that end with it, must not be queried. Completes "<zone> …". */
export const refusedZones: Readonly<Record<string, string>> = {
  "sorbs.net": "was shut down on June 5, 2024",
  "cbl.abuseat.org": "has been part of zen.spamhaus.org since 2021; use that",
  "ix.dnsbl.manitu.net": "ended in January 2025",
  "hostkarma.junkemailfilter.com": "is closed to the public",
  "dnsbl.njabl.org": "was shut down in 2013",
  "dnsbl.ahbl.org": "was shut down in 2015 and lists everyone",
  "swl.spamhaus.org": "is no longer maintained",
  "dwl.dnswl.org": "is queried by DKIM domain, which Assay does not support; use list.dnswl.org",
  "score.senderscore.com": "returns a score, not a listing; use bl.score.senderscore.com",
  "rep.mailspike.net": "returns a reputation, not a listing; use bl.mailspike.net and wl.mailspike.net",
  "ebl.msbl.org": "is queried with hashes of addresses, which Assay does not support",
  "dq.spamhaus.net":
    "must be queried as <key>.zen.dq.spamhaus.net with your key; likewise sbl, xbl, pbl, authbl, dbl and zrd",
  "mail.abusix.zone": "must be queried as <key>.combined.mail.abusix.zone with your key",
};
