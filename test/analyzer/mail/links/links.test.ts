import { expect, test } from "vitest";
import { checksById } from "../../../../src/analyzer/checks/list.ts";
import { readPage } from "../../../../src/analyzer/mail/html/page.ts";
import { type Link, maxLinks, toLinks } from "../../../../src/analyzer/mail/links/links.ts";
import { warningsOf } from "../../../../src/analyzer/mail/links/warnings.ts";
import { clickTrackers, linkGuards, openRedirectors } from "../../../../src/analyzer/mail/urls/link-tables.ts";
import { createFinder } from "../../../../src/analyzer/mail/urls/patterns.ts";
import { readWebAddress } from "../../../../src/analyzer/mail/urls/web-address.ts";

function linkOf(href: string, inside = "words"): Link {
  const [link] = toLinks(readPage(`<a href="${href}">${inside}</a>`), "").list;
  if (!link) throw new Error("no link");
  return link;
}

test.each([
  ["http://192.0.2.7/", "192.0.2.7", "ipv4"],
  ["http://3221225991/", "192.0.2.7", "decimal"],
  ["http://0300.0.2.7/", "192.0.2.7", "octal"],
  ["http://0xC0.0.0x2.7/", "192.0.2.7", "hex"],
  ["http://[2001:db8::7]/", "2001:db8::7", "ipv6"],
  ["https://bücher.example/", "xn--bcher-kva.example", "punycode"],
  ["https://intranet/", "intranet", "single-label"],
  ["HTTPS://Shop.Example./x", "shop.example", "name"],
  ["mailto:a@b.example", null, "none"],
])("the host of the link %s is read as %s (%s)", (href, host, form) => {
  expect(linkOf(href)).toMatchObject({ host, form });
});

test("the parser finds the registrable domain of a link, except for an IP address", () => {
  expect(linkOf("https://a.b.shop.co.uk/").orgDomain).toBe("shop.co.uk");
  expect(linkOf("https://somebody.github.io/").orgDomain).toBe("somebody.github.io");
  expect(linkOf("https://192.0.2.1/").orgDomain).toBeNull();
});

test.each([
  ["http:/shop", "no-host"],
  ["https:shop.example", "no-host"],
  ["https://a@b@c.example/", "several-at"],
  ["https://a.example\\@b.example/", "backslash"],
  ["https://a.example/x y", "spaces"],
  ["https://a b.example/", "spaces"],
  ["shop/page.html", "relative"],
  ["https://a.example:99999/", "unreadable"],
  ["", "empty"],
  ["#", "empty"],
  ["#nowhere", "empty"],
  ["javascript:void(0)", "empty"],
  [" java&#10;script:alert(1)", "script"],
])("the link %s is reported as %s", (href, fault) => {
  expect(linkOf(href).faults).toContain(fault);
});

test.each(["mailto:a@b.example", "tel:+123", "https://a.example/?q=a@b#c", "#top", "//cdn.example/x"])(
  "no problem is found with the link %s",
  (href) => {
    const link = linkOf(href);
    expect(link.faults).toEqual([]);
    expect(warningsOf(link)).toEqual([]);
  },
);

test("a link within the message is accepted if its target exists", () => {
  const { list } = toLinks(
    readPage('<a href="#part">x</a><h2 id="part">y</h2><a href="#old">x</a><a name=old>z</a>'),
    "",
  );
  expect(list.map(({ faults }) => faults)).toEqual([[], []]);
});

test.each([
  ["https://own.example/x", "own.example"],
  ["Visit https://www.bank.example/login now", "www.bank.example"],
  ["www.bank.com", "www.bank.com"],
  ["bank.com/offer…", "bank.com"],
  ["Node.js", null],
  ["Read the report", null],
  ["help@bank.com", null],
  ["v1.2.3", null],
])("the text %j names the host %s", (text, host) => {
  expect(linkOf("https://target.example/", text).textHost).toBe(host);
});

test("text that names another site than its link is a warning, but not if the link leads to a tracker", () => {
  expect(warningsOf(linkOf("https://evil.test/", "https://bank.example"))).toEqual([
    { says: "Shows bank.example but opens evil.test.", check: "link-text" },
  ]);
  expect(warningsOf(linkOf("https://pay.bank.example/", "https://bank.example"))).toEqual([]);
  const tracked = linkOf(
    "https://click.mail.test/?u=https%3A%2F%2Fbank.example%2Fx&t=0123456789abcdef",
    "https://bank.example",
  );
  expect(tracked).toMatchObject({ tracker: "unnamed", target: { host: "bank.example" } });
  expect(warningsOf(tracked)).toEqual([]);
});

test("every warning names a check of the catalog", () => {
  const odd = [
    "http://192.0.2.7:81/",
    "https://me@xn--bcher-kva.example/",
    "https://bit.ly/3xyz",
    "https://www.google.com/url?q=https://evil.test/&sa=D",
    "https://a.example/{{name}}",
    "javascript:alert(1)",
    "",
  ];
  const named = new Set(odd.flatMap((href) => warningsOf(linkOf(href)).map(({ check }) => check)));
  expect(named.size).toBeGreaterThan(6);
  expect([...named].filter((check) => !checksById.has(check))).toEqual([]);
});

test("redirectors, trackers, and link protection are unwrapped, but only for complete addresses", () => {
  expect(linkOf("https://www.google.com/url?q=https://evil.test/&sa=D")).toMatchObject({
    redirector: "Google",
    target: { host: "evil.test" },
  });
  expect(linkOf("https://x.r.a.example/CL0/https:%2F%2Fb.example%2Fc/1/0")).toMatchObject({
    tracker: "Amazon SES",
    target: { host: "b.example" },
  });
  const guarded = encodeURIComponent("https://click.a.example/ls/click?upn=1&u=https%3A%2F%2Fb.example%2F");
  expect(linkOf(`https://eur01.safelinks.protection.outlook.com/?url=${guarded}`).target?.host).toBe("b.example");
  const encoded = Buffer.from("https://evil.test/login?a=1").toString("base64url");
  expect(linkOf(`https://www.bing.com/ck/a?!&&p=1&u=a1${encoded}&ntb=1`)).toMatchObject({
    redirector: "Bing",
    target: { href: "https://evil.test/login?a=1", host: "evil.test" },
  });
  expect(linkOf(`https://a.example/?url=${encoded}`).target?.host).toBe("evil.test");
  for (const escaped of ["%68%74tp%3A%2F%2Fevil.test%2F", "%2568%2574tp%253A%252F%252Fevil.test"])
    expect(linkOf(`https://www.google.com/url?q=${escaped}`).target?.host).toBe("evil.test");
  expect(linkOf("https://a.example/?url=page&u=12").target).toBeNull();
});

test("public link shorteners are distinguished from those of a brand", () => {
  expect(linkOf("https://bit.ly/3abc").shortener).toEqual({ host: "bit.ly", brand: null });
  expect(linkOf("https://youtu.be/abc").shortener).toEqual({ host: "youtu.be", brand: "youtube.com" });
  expect(linkOf("https://rabbit.ly/3abc").shortener).toBeNull();
  expect(linkOf("https://bit.ly/").shortener).toBeNull();
});

test.each([
  ["https://a.example/u/1", "Unsubscribe", "unsubscribe"],
  ["https://a.example/x", "Newsletter hier <b>abbestellen</b>", "unsubscribe"],
  ["https://a.example/x", "配信停止はこちら", "unsubscribe"],
  ["https://a.example/unsubscribe?u=1", "click", "unsubscribe"],
  ["https://www.instagram.com/a", "Follow us", "social"],
  ["https://a.example/x", '<img src="x">', "image"],
  ["https://a.example/subscribe", "Subscribe", "content"],
])("the link %s (%s) has the role %s", (href, inside, role) => {
  expect(linkOf(href, inside).role).toBe(role);
});

test("the parser returns whether a link is hidden, and its size and contrast", () => {
  const hiddenLink = toLinks(
    readPage('<div style="display:none"><a href="https://a.example/">Unsubscribe</a></div>'),
    "",
  ).list[0];
  expect(hiddenLink).toMatchObject({ visible: false, hiddenHow: "display" });
  const faint = linkOf("https://a.example/", '<span style="color:#fefefe">Unsubscribe</span>');
  expect(faint).toMatchObject({ visible: false, hiddenHow: "contrast" });
  const small = linkOf("https://a.example/", '<span style="font-size:7px;color:#767676">Unsubscribe</span>');
  expect(small).toMatchObject({ visible: true, fontPx: 7, contrast: 4.54 });
});

test("a link without text is named by its label or image", () => {
  expect(linkOf("https://a.example/", '<img src=x alt="Shoes">')).toMatchObject({
    text: "",
    label: "Shoes",
    images: 1,
  });
  expect(toLinks(readPage('<a href="https://a.example/" aria-label="Home"></a>'), "").list[0]?.label).toBe("Home");
  expect(linkOf("https://a.example/", "").label).toBeNull();
});

test("the parser finds credentials, ports, scripts, mixed alphabets, and unreplaced merge tags in links", () => {
  expect(linkOf("https://bank.example@evil.test/").userinfo).toBe("bank.example");
  expect(linkOf("https://a.example:8080/setup.EXE?x=1")).toMatchObject({ port: 8080, fileExtension: "exe" });
  expect(linkOf("https://pаypal.example/")).toMatchObject({ isMixedScript: true, unicodeHost: "pаypal.example" });
  expect(linkOf("https://bücher.example/").isMixedScript).toBe(false);
  expect(linkOf("https://exa\u200bmple.com/").hasInvisible).toBe(true);
  expect(linkOf("https://{{host}}/x").placeholder).toBe("{{host}}");
  expect(linkOf("https://a.example/%7B%7Bx").placeholder).toBeNull();
});

test("web addresses in plain text are found without the punctuation after them", () => {
  const { list } = toLinks(null, "See (https://a.example/x), www.b.example. or <https://c.example/?q=1>!");
  expect(list.map(({ host, scheme, place }) => [host, scheme, place])).toEqual([
    ["a.example", "https", "text"],
    ["www.b.example", null, "text"],
    ["c.example", "https", "text"],
  ]);
  const html = '<a href="https://a.example/t_">Track</a>';
  expect(toLinks(readPage(html), "Track <https://a.example/t_>").list.map(({ href }) => href)).toEqual(
    Array(2).fill("https://a.example/t_"),
  );
});

test("a limited number of links is listed, and all are counted", () => {
  const html = Array.from({ length: 20_000 }, (_, index) => `<a href="https://h${index}.example/">x</a>`).join("");
  const links = toLinks(readPage(html), "https://text.example/ ".repeat(1_000));
  expect(links.list).toHaveLength(maxLinks);
  expect(links.total).toBe(21_000);
});

test.each([...clickTrackers, ...openRedirectors, ...linkGuards])(
  "the link service $name is recognized in $holds and not in $fails",
  (row) => {
    const find = createFinder([row]);
    expect(find(readWebAddress(row.holds))).toBe(row);
    expect(find(readWebAddress(row.fails))).toBeUndefined();
  },
);
