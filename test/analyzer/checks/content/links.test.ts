import { linkAddress } from "../../../../src/analyzer/checks/content/link-address.ts";
import { linkCredentials } from "../../../../src/analyzer/checks/content/link-credentials.ts";
import { linkFile } from "../../../../src/analyzer/checks/content/link-file.ts";
import { linkForm } from "../../../../src/analyzer/checks/content/link-form.ts";
import { linkLookalike } from "../../../../src/analyzer/checks/content/link-lookalike.ts";
import { linkRedirector } from "../../../../src/analyzer/checks/content/link-redirector.ts";
import { linkScheme } from "../../../../src/analyzer/checks/content/link-scheme.ts";
import { linkShortener } from "../../../../src/analyzer/checks/content/link-shortener.ts";
import { testCheck } from "../test-check.ts";
import { given, linking } from "./given.ts";

const link = (href: string, text = "here") => linking(`<a href="${href}">${text}</a>`);

testCheck(linkAddress, [
  { when: "passes a host name", facts: link("https://shop.example/") },
  {
    when: "finds an IP address",
    facts: link("http://203.0.113.5/"),
    finds: ["numeric"],
    says: "The link http://203.0.113.5/ opens the raw IP address 203.0.113.5.",
  },
  { when: "finds an IP address written as one number", facts: link("http://3405803781/"), finds: ["numeric"] },
  {
    when: "reports no pass while a more severe issue hides one",
    facts: link("http://a@203.0.113.5/"),
    outcome: "not-applicable",
  },
  {
    when: "names an image that is loaded from an IP address",
    facts: given(`<a href="https://shop.example/">here</a><img src="http://203.0.113.5/a.png">`),
    says: "No link uses a raw IP address, but an image is loaded from 203.0.113.5.",
  },
  { when: "finds an IPv6 address", facts: link("http://[2001:db8::5]/"), finds: ["numeric"] },
  {
    when: "reports the private address of a printer as a note",
    facts: link("http://192.168.1.60/status"),
    finds: ["private"],
    says: "The link http://192.168.1.60/status opens 192.168.1.60, which works only inside a private network.",
  },
  ...["10.1.2.3:8080", "172.31.0.9", "127.0.0.1", "169.254.1.1", "[::1]", "[fd12::5]", "[fe80::1]"].map((host) => ({
    when: `takes ${host} for a private address`,
    facts: link(`http://${host}/`),
    finds: ["private"] as const,
  })),
  { when: "finds an address just after the private range", facts: link("http://172.32.0.9/"), finds: ["numeric"] },
  { when: "finds a private address in another notation", facts: link("http://2130706433/"), finds: ["numeric"] },
  {
    when: "leaves a link that shows another address to another check",
    facts: link("http://192.168.1.60/login", "https://www.bank.example/"),
    outcome: "not-applicable",
  },
]);

testCheck(linkCredentials, [
  { when: "passes an @ in the path", facts: link("https://social.example/@ada") },
  {
    when: "finds credentials before the @",
    facts: link("https://bank.example@evil.test/"),
    finds: ["userinfo"],
    says: "https://bank.example@evil.test/ has text before the @ and opens evil.test.",
  },
  { when: "passes an email address", facts: link("mailto:ada@own.example") },
]);

testCheck(linkLookalike, [
  { when: "passes a name in another alphabet", facts: link("https://bücher.example/") },
  {
    when: "finds mixed alphabets",
    facts: link("https://b\u0430nk.example/"),
    finds: ["imitates"],
    says: "A link host mixes Latin and Cyrillic letters: b\u0430nk.example (xn--bnk-6cd.example).",
  },
  {
    when: "finds a brand's whole domain before another",
    facts: link("https://dhl.com.parcel-fee.example/pay"),
    finds: ["imitates"],
    says: "A link host poses as dhl.com: dhl.com.parcel-fee.example.",
  },
  { when: "passes a host with a session ID", facts: link("https://www.paypal.com.mcas.ms/home") },
  { when: "finds invisible characters", facts: link("https://ba\u200bnk.example/"), finds: ["imitates"] },
  {
    when: "finds a host that looks like a well-known one",
    facts: link("https://www.paypa1.com/"),
    finds: ["imitates"],
    says: "A link host looks like paypal.com: www.paypa1.com.",
  },
  {
    when: "finds a host that looks like a domain of the recipient",
    facts: { ...link("https://acrne-sh0p.example/"), own: { domains: ["acme-shop.example"] } },
    finds: ["imitates"],
  },
  {
    when: "leaves the sender's own domain to another check",
    facts: linking(`<a href="https://www.paypa1.com/">pay</a>`, { from: "a@paypa1.com" }),
  },
  { when: "passes the well-known host itself", facts: link("https://www.paypal.com/") },
  { when: "passes a well-known host in the path", facts: link("https://bank.example/a\u00adb") },
]);

testCheck(linkFile, [
  { when: "passes a PDF", facts: link("https://shop.example/file.pdf") },
  {
    when: "finds a program",
    facts: link("https://shop.example/setup.exe?x=1"),
    finds: ["program"],
    says: "https://shop.example/setup.exe?x=1 downloads a .exe file.",
  },
  { when: "does not treat a page name as a program", facts: link("https://wiki.example/whois/shop.com") },
  {
    when: "does not treat a page of a web server as a program",
    facts: linking(
      `<a href="https://shop.example/ws/ItemISAPI.dll?ViewItem&amp;item=17">a</a>
      <a href="https://news.example/front.adp?category=21">b</a>
      <a href="https://shop.example/cgi-bin/track.exe?id=4">c</a>`,
    ),
  },
]);

testCheck(linkShortener, [
  { when: "passes a shop", facts: link("https://shop.example/a") },
  {
    when: "finds a public shortener",
    facts: link("https://bit.ly/3abc"),
    finds: ["public"],
    says: "https://bit.ly/3abc hides its target with the public shortener bit.ly.",
  },
  { when: "passes a brand's own shortener", facts: link("https://youtu.be/abc") },
  {
    when: "passes mail from the shortener itself",
    facts: linking(`<a href="https://bit.ly/3abc">see</a>`, { from: "news@bit.ly" }),
  },
]);

testCheck(linkRedirector, [
  { when: "passes a sender's own click tracker", facts: link("https://click.own.example/?url=https://x.example/") },
  {
    when: "finds a public redirector",
    facts: link("https://www.google.com/url?q=https%3A%2F%2Fx.example%2Fa"),
    finds: ["open"],
    says: "https://www.google.com/url?q=https%3A%2F%2Fx.example%2Fa goes through an open redirect at www.google.com to x.example.",
    fix: "Link to https://x.example/a",
  },
  {
    when: "passes a redirector that leads to itself",
    facts: link("https://www.google.com/url?q=https://www.google.com/maps"),
  },
  {
    when: "passes a redirector in mail from its owner",
    facts: linking(`<a href="https://www.google.com/url?q=https://x.example/">x</a>`, { from: "a@google.com" }),
  },
]);

testCheck(linkScheme, [
  {
    when: "reports no pass while a link over http has a more severe issue",
    facts: link("http://203.0.113.5/"),
    outcome: "not-applicable",
  },
  { when: "passes https", facts: link("https://shop.example/", "https://shop.example/") },
  {
    when: "finds a text with https over a link with http",
    facts: link("http://shop.example/", "https://shop.example/"),
    finds: ["deceptive"],
    says: "The link text shows https, but the link opens http://shop.example/.",
  },
  {
    when: "counts each http URL once",
    facts: linking(`${`<a href="http://shop.example/a">a</a>`.repeat(3)}<a href="http://shop.example/b">b</a>`),
    finds: ["plain"],
    why: "Browsers warn about pages without HTTPS.",
    says: "Links that use HTTP instead of HTTPS: 2, for example http://shop.example/a.",
  },
  {
    when: "passes a namespace that is not a link",
    facts: linking(`<html xmlns="http://www.w3.org/1999/xhtml"><a href="mailto:a@own.example">x</a>`),
  },
]);

const form = (html: string) => ({ links: given(html).links });

testCheck(linkForm, [
  {
    when: "passes ordinary URLs",
    facts: form(
      `<a href="https://shop.example/a?b=c">a</a><a href="mailto:a@own.example">b</a><a href="tel:+4912">c</a>`,
    ),
  },
  {
    when: "finds a template whose links were not filled in",
    facts: form(
      `<a href="https://">Shop</a><a href="#">Blog</a><a href="mailto:">Write to us</a><a href="https://own.example/u/1">Unsubscribe</a>`,
    ),
    finds: ["most"],
    says: '3 of 4 links have no target, such as "Shop".',
  },
  {
    when: "finds single links without target",
    facts: form(`<a href="https://">Shop</a><a href="https://own.example/">Blog</a>`),
    finds: ["empty"],
    says: 'The link "Shop" has no target.',
  },
  {
    when: "finds a URL without a host",
    facts: form(`<a href="http:/shop">a</a>`),
    finds: ["malformed"],
    says: 'The link target "http:/shop" is not a valid URL: it has a scheme but no host.',
  },
  { when: "finds a relative URL", facts: form(`<a href="shop.html">a</a>`), finds: ["malformed"] },
  { when: "finds several @", facts: form(`<a href="https://a@b@c.example/">a</a>`), finds: ["malformed"] },
  { when: "finds a backslash", facts: form(`<a href="https:\\\\c.example\\a">a</a>`), finds: ["malformed"] },
  { when: "finds spaces", facts: form(`<a href="https://c.example/a b">a</a>`), finds: ["malformed"] },
  {
    when: "finds a link without a target",
    facts: form(`<a href="#">Shop now</a>`),
    finds: ["empty"],
    says: 'The link "Shop now" has no target.',
  },
  { when: "finds a link that does nothing", facts: form(`<a href="javascript:void(0)">x</a>`), finds: ["empty"] },
  {
    when: "passes a link within the message, and a hidden anchor",
    facts: form(`<a href="#section">down</a><p id="section">here</p><a href=""></a>`),
  },
  {
    when: "finds an unusual port",
    facts: form(`<a href="https://shop.example:8080/">a</a>`),
    finds: ["port"],
    says: "https://shop.example:8080/ uses port 8080, which many networks block.",
  },
  { when: "passes a usual port", facts: form(`<a href="http://shop.example:443/">a</a>`) },
  {
    when: "reports a very long URL",
    facts: form(`<a href="https://shop.example/?${"x".repeat(2_400)}">a</a>`),
    finds: ["very-long"],
    says: "A link is 2422 characters long.",
  },
  {
    when: "leaves a URL with an unreplaced merge tag to another check",
    facts: form(`<a href="https://{{host}}:8080/a b">a</a>`),
  },
]);
