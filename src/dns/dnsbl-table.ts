// The DNS lists that an operator may choose from: what each answers, and what its answers mean. Sources: the owners'
// pages and, where those are silent, what SpamAssassin 4 and rspamd read from them (November 2026).
//
// A code is written as the address that a list answers, each part a number, a range `4-7`, `*` for any, or `&8` for a
// bit that is set. The codes of a list stand worst first: the first that matches judges.

/** How much a listing of an address weighs: harm, a range that should send no mail, a list of little weight, whole networks. */
type AddressClass = "major" | "policy" | "minor" | "broad";
/** A domain that does harm, one that was broken into, or one that is merely watched. */
type DomainClass = "bad" | "abused" | "grey";
type TrustLevel = "none" | "low" | "medium" | "high";

export type Code<Class extends string> = {
  readonly code: string;
  readonly class: Class;
  readonly meaning: string;
};

type Common = {
  /** The first is the one to choose. `<key>` stands for what the owner gives each subscriber. */
  readonly zones: readonly string[];
  readonly name: string;
  /** Answers that tell that we may not ask; 127.255.255.x says so for every list. */
  readonly refusals?: readonly string[];
  /** Where its test entry answers what would else be a refusal. */
  readonly testCode?: string;
  readonly delistUrl: string | null;
  /** What its owner asks of whoever queries it. */
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
  /** What the third part of an answer says of the sender. */
  readonly categories?: Readonly<Record<number, string>>;
};

type DomainList = Common & {
  readonly kind: "domain";
  /** Asked with the name as it was found, or with the registrable domain in it. */
  readonly asks: "host" | "registrable";
  /** The owner's own test entry, where that is another than RFC 5782's `test`. */
  readonly testName?: string;
  readonly codes: readonly Code<DomainClass>[];
};

export type ListRow = AddressList | AllowList | DomainList;

const ownResolver = "through your own resolver, not a public one";
const spamhausTerms = `free for small non-commercial use ${ownResolver}; otherwise with a key (Data Query Service)`;
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
      { code: "127.0.0.9", class: "major", meaning: "DROP: a network run by criminals" },
      { code: "127.0.0.30", class: "major", meaning: "BCL: it controls a botnet" },
      { code: "127.0.0.2", class: "major", meaning: "SBL: a source of spam, listed by hand" },
      { code: "127.0.0.3", class: "major", meaning: "CSS: a source of spam, listed by automation" },
      { code: "127.0.0.4-7", class: "major", meaning: "XBL: a hijacked or infected machine" },
      { code: "127.0.0.10", class: "policy", meaning: "PBL: its provider says that it sends no mail itself" },
      { code: "127.0.0.11", class: "policy", meaning: "PBL: a range of end users, says Spamhaus" },
    ],
    delistUrl: spamhausDelisting,
    terms: spamhausTerms,
  },
  {
    kind: "address",
    zones: ["<key>.authbl.dq.spamhaus.net"],
    name: "Spamhaus AuthBL",
    ipv6: true,
    codes: [{ code: "127.0.0.20", class: "minor", meaning: "it tries stolen passwords" }],
    delistUrl: spamhausDelisting,
    terms: "with a key (Data Query Service)",
  },
  {
    kind: "address",
    zones: ["bl.spamcop.net"],
    name: "SpamCop",
    ipv6: false,
    codes: [{ code: "127.0.0.2", class: "minor", meaning: "reported for spam; goes by itself within a day" }],
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
    terms: "free after you register the address of your resolver",
  },
  {
    kind: "address",
    zones: ["<key>.combined.mail.abusix.zone", "<key>.black.mail.abusix.zone"],
    name: "Abusix",
    ipv6: true,
    codes: [
      { code: "127.0.0.2", class: "minor", meaning: "it sent mail to spam traps" },
      { code: "127.0.0.3", class: "minor", meaning: "very low reputation" },
      { code: "127.0.0.200", class: "minor", meaning: "listed by hand" },
      { code: "127.0.0.4", class: "minor", meaning: "an infected or hijacked machine" },
      { code: "127.0.0.11", class: "minor", meaning: "its reverse name looks like an end user's" },
      { code: "127.0.0.12", class: "minor", meaning: "it has no reverse name" },
    ],
    delistUrl: "https://app.abusix.com/lookup",
    terms: "with a key, free for small use",
  },
  {
    kind: "address",
    zones: ["bl.mailspike.net", "z.mailspike.net"],
    name: "Mailspike",
    ipv6: false,
    codes: [
      { code: "127.0.0.2", class: "minor", meaning: "part of a wave of spam" },
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
      { code: "127.0.0.&4", class: "minor", meaning: "it sent mail to pristine spam traps" },
      { code: "127.0.0.&1", class: "minor", meaning: "it behaves like a bot" },
      { code: "127.0.0.&8", class: "minor", meaning: "it sent suspicious attachments" },
      { code: "127.0.0.&2", class: "minor", meaning: "it sends without authentication" },
      { code: "127.0.0.&16", class: "minor", meaning: "low sender score" },
    ],
    delistUrl: "https://senderscore.org/",
    terms: "with an account; few queries are free",
  },
  {
    kind: "address",
    zones: ["psbl.surriel.com"],
    name: "Passive Spam Block List",
    ipv6: false,
    codes: [{ code: "127.0.0.2", class: "minor", meaning: "it sent mail to spam traps" }],
    delistUrl: "https://psbl.org/remove",
    terms: "free",
  },
  {
    kind: "address",
    zones: ["dnsbl.dronebl.org"],
    name: "DroneBL",
    ipv6: true,
    codes: [
      { code: "127.0.0.6-7", class: "minor", meaning: "a machine that spams or attacks" },
      { code: "127.0.0.3-5", class: "minor", meaning: "an infected machine" },
      { code: "127.0.0.8-11", class: "minor", meaning: "an open proxy" },
      { code: "127.0.0.12-19", class: "minor", meaning: "an abused machine or service" },
    ],
    delistUrl: "https://dronebl.org/lookup",
    terms: "free",
  },
  {
    kind: "address",
    zones: ["bl.spameatingmonkey.net"],
    name: "Spam Eating Monkey",
    ipv6: false,
    codes: [{ code: "127.0.0.2-3", class: "minor", meaning: "it sent mail to spam traps" }],
    delistUrl: "https://spameatingmonkey.com/lookup",
    terms: "free under 100,000 queries a day",
  },
  {
    kind: "address",
    zones: ["bl.blocklist.de"],
    name: "blocklist.de",
    ipv6: false,
    codes: [
      { code: "127.0.0.2", class: "minor", meaning: "it sent spam" },
      { code: "127.0.0.9", class: "minor", meaning: "it attacked a mail server" },
      { code: "127.0.0.19", class: "minor", meaning: "it sent mail to spam traps" },
      { code: "127.0.0.3-22", class: "minor", meaning: "it attacked a server within the last two days" },
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
      { code: "127.0.0.38", class: "minor", meaning: "it sends spam" },
      { code: "127.0.0.36", class: "minor", meaning: "its reverse name looks like an end user's" },
      { code: "127.0.0.37", class: "minor", meaning: "it has no reverse name" },
    ],
    delistUrl: "https://www.spamrats.com/removal.php",
    terms: "free for small use",
  },
  {
    kind: "address",
    zones: ["all.s5h.net", "bip.virusfree.cz", "truncate.gbudb.net", "rbl.interserver.net"],
    name: "S5H, virusfree.cz, GBUdb, InterServer",
    ipv6: false,
    codes: [{ code: "127.0.0.2", class: "minor", meaning: "it sent spam" }],
    delistUrl: null,
    terms: "free",
  },
  {
    kind: "address",
    zones: ["dnsbl-1.uceprotect.net"],
    name: "UCEPROTECT 1",
    ipv6: false,
    codes: [{ code: "127.0.0.2", class: "minor", meaning: "it sent mail to spam traps within a week" }],
    delistUrl: "https://www.uceprotect.net/en/rblcheck.php",
    terms: "free",
  },
  {
    kind: "address",
    zones: ["dnsbl-2.uceprotect.net", "dnsbl-3.uceprotect.net"],
    name: "UCEPROTECT 2 and 3",
    ipv6: false,
    codes: [{ code: "127.0.0.2", class: "broad", meaning: "its whole network or provider is listed" }],
    delistUrl: null,
    terms: "free; says little about a single sender",
  },
  {
    kind: "domain",
    zones: ["dbl.spamhaus.org", "<key>.dbl.dq.spamhaus.net"],
    name: "Spamhaus DBL",
    // It holds whole domains by wildcard and single hosts that were broken into.
    asks: "host",
    testName: "dbltest.com",
    refusals: ["127.0.1.255"],
    codes: [
      { code: "127.0.1.6", class: "bad", meaning: "controls a botnet" },
      { code: "127.0.1.5", class: "bad", meaning: "spreads malware" },
      { code: "127.0.1.4", class: "bad", meaning: "phishing" },
      { code: "127.0.1.2", class: "bad", meaning: "spam, or low reputation" },
      { code: "127.0.1.106", class: "abused", meaning: "broken into, controls a botnet" },
      { code: "127.0.1.105", class: "abused", meaning: "broken into, spreads malware" },
      { code: "127.0.1.104", class: "abused", meaning: "broken into, used for phishing" },
      { code: "127.0.1.103", class: "abused", meaning: "an abused redirector" },
      { code: "127.0.1.102", class: "abused", meaning: "broken into, used for spam" },
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
      { code: "127.0.0.&64", class: "bad", meaning: "ABUSE: advertised by spam" },
      { code: "127.0.0.&128", class: "bad", meaning: "CR: a cracked site" },
      { code: "127.0.0.&4", class: "grey", meaning: "DM: disposable mail addresses" },
      { code: "127.0.0.&32", class: "grey", meaning: "CT: a click tracker" },
    ],
    delistUrl: "https://surbl.org/surbl-analysis",
    terms: `free for small use ${ownResolver}`,
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
      { code: "127.0.0.&8", class: "grey", meaning: "red: young, and seen in mail" },
    ],
    delistUrl: "https://admin.uribl.com/",
    terms: `free for small use ${ownResolver}`,
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
    // An abuser is told that all the world is trusted, under category 10; so is the tester, honestly.
    refusals: ["127.0.0.255", "127.0.10.*"],
    testCode: "127.0.10.0",
    codes: [
      { code: "127.0.*.3", class: "high", meaning: "trusted highly" },
      { code: "127.0.*.2", class: "medium", meaning: "trusted" },
      { code: "127.0.*.1", class: "low", meaning: "trusted a little" },
      { code: "127.0.*.0", class: "none", meaning: "known" },
    ],
    categories: {
      2: "financial services",
      3: "e-mail service providers",
      4: "organisations",
      5: "network providers",
      6: "personal servers",
      7: "travel",
      8: "public sector",
      9: "media and technology",
      11: "education",
      12: "health care",
      13: "manufacturing",
      14: "retail and services",
      15: "e-mail marketing",
      20: "added by their owners",
    },
    delistUrl: null,
    terms: "free under 100,000 queries a day",
  },
  {
    kind: "allow",
    zones: ["wl.mailspike.net"],
    name: "Mailspike's good senders",
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

/** Of a list that the table does not hold nobody knows how much it weighs: little, then. */
export const ownList = {
  // RFC 5782 §2.1: no list should answer it to say "listed"; several do to say "refused".
  refusals: ["127.0.0.1"],
  addressCodes: [{ code: "127.*.*.*", class: "minor", meaning: "listed" }],
  domainCodes: [{ code: "127.*.*.*", class: "grey", meaning: "listed" }],
} as const;

/** What stands behind a zone, or the end of one, that must not be asked: completes "<zone> …". */
export const refusedZones: Readonly<Record<string, string>> = {
  "sorbs.net": "was shut down on 5 June 2024",
  "cbl.abuseat.org": "is part of zen.spamhaus.org since 2021; ask that",
  "ix.dnsbl.manitu.net": "ended in January 2025",
  "hostkarma.junkemailfilter.com": "is closed to the public",
  "dnsbl.njabl.org": "was shut down in 2013",
  "dnsbl.ahbl.org": "was shut down in 2015 and lists everyone",
  "swl.spamhaus.org": "is no longer kept",
  "dwl.dnswl.org": "is asked by DKIM domain, which Assay does not do; ask list.dnswl.org",
  "score.senderscore.com": "tells a score and not a listing; ask bl.score.senderscore.com",
  "rep.mailspike.net": "tells a reputation and not a listing; ask bl.mailspike.net and wl.mailspike.net",
  "ebl.msbl.org": "is asked with hashes of addresses, which Assay does not do",
  "dq.spamhaus.net":
    "is asked as <key>.zen.dq.spamhaus.net with your key; sbl, xbl, pbl, authbl, dbl and zrd likewise",
  "mail.abusix.zone": "is asked as <key>.combined.mail.abusix.zone with your key",
};
