// URLs of the pages that checks cite. One name can mean several pages.

import type { Reference } from "./references.ts";

const google = "https://support.google.com";
const yahoo = "https://senders.yahooinc.com";
const apple = "https://support.apple.com/en-us";
const microsoft = "https://support.microsoft.com/en-us/office";
const exchangeReports = "https://learn.microsoft.com/en-us/troubleshoot/exchange/email-delivery/ndr";
const w3c = "https://www.w3.org/TR/WCAG22";
const caniemail = "https://www.caniemail.com";
const draft = "https://datatracker.ietf.org/doc/html/draft-";

/** "Gmail and Yahoo sender rules" means both pages. */
export const senderRules: Readonly<Record<string, string>> = {
  Gmail: `${google}/a/answer/81126`,
  Yahoo: `${yahoo}/best-practices/`,
  Microsoft: "https://sendersupport.olc.protection.outlook.com/pm/policies.aspx",
  Outlook: "https://sendersupport.olc.protection.outlook.com/pm/policies.aspx",
  Apple: `${apple}/102322`,
  GMX: "https://postmaster.gmx.net/en/best-practices",
};

const filterRules: readonly Reference[] = [
  { title: "SpamAssassin's rules", url: "https://github.com/apache/spamassassin/tree/trunk/rules" },
  { title: "rspamd's rules", url: "https://github.com/rspamd/rspamd/tree/master/rules" },
];

const spamhausDbl: Reference = { title: "Spamhaus DBL", url: "https://www.spamhaus.org/blocklists/domain-blocklist/" };
const spamhausZen: Reference = { title: "Spamhaus ZEN", url: "https://www.spamhaus.org/blocklists/zen-blocklist/" };
const domainLists: readonly Reference[] = [
  spamhausDbl,
  { title: "SURBL", url: "https://surbl.org/lists" },
  { title: "URIBL", url: "https://uribl.com/about.shtml" },
];

/** Keyed by the citation in the check. */
export const pages: Readonly<Record<string, string | readonly Reference[]>> = {
  "Exchange Online limits":
    "https://learn.microsoft.com/en-us/office365/servicedescriptions/exchange-online-service-description/exchange-online-limits",
  "Gmail sender rules (hidden content)": `${google}/a/answer/81126`,
  "Gmail sender rules (display names)": `${google}/a/answer/81126`,
  "Google sender guidelines on open rates": `${google}/a/answer/81126`,
  "Gmail SMTP errors": `${google}/a/answer/3726730`,
  "Gmail SMTP errors (4.7.24, 5.7.24)": `${google}/a/answer/3726730`,
  "Gmail header limits": `${google}/a/answer/14016360`,
  "Gmail BIMI requirements": `${google}/a/answer/10911320`,
  "ClamAV documentation": "https://docs.clamav.net/",
  "Gmail blocked file types": `${google}/mail/answer/6590`,
  'Google "Feedback Loop"': `${google}/a/answer/6254652`,
  "Yahoo sender FAQ": `${yahoo}/faqs/`,
  "Yahoo SMTP errors": `${yahoo}/smtp-error-codes/`,
  "Apple SMTP errors": `${apple}/102322`,
  "Microsoft requirements for high-volume senders":
    "https://techcommunity.microsoft.com/blog/microsoftdefenderforoffice365blog/strengthening-email-ecosystem-outlook%E2%80%99s-new-requirements-for-high%E2%80%90volume-senders/4399730",
  "Microsoft on non-delivery reports": `${exchangeReports}/non-delivery-reports-in-exchange-online`,
  "Microsoft on 451 4.7.500-699": `${exchangeReports}/fix-error-code-451-4-7-500-699-asxxx-in-exchange-online`,
  "NHSmail on 550 5.7.350":
    "https://support.nhs.net/2024/01/microsoft-365-alert-service-degradation-exchange-online-some-users-may-be-unable-to-send-or-receive-email-messages-and-receive-a-non-delivery-report-ndr/",
  "Outlook.com postmaster": "https://sendersupport.olc.protection.outlook.com/pm/troubleshooting.aspx",
  "Spamhaus ZEN": [spamhausZen],
  "Outlook blocked extensions": `${microsoft}/blocked-attachments-in-outlook-434752e1-02d3-4e90-9124-8b81e49a8519`,
  "Help pages of iCloud, Outlook.com and Yahoo": [
    { title: "iCloud: sizes and limits of messages", url: `${apple}/102198` },
    {
      title: "Outlook.com: sending limits",
      url: `${microsoft}/sending-limits-in-outlook-com-279ee200-594c-40f0-9ec8-bb6af7735c2e`,
    },
    { title: "Yahoo Mail: message size limits", url: "https://help.yahoo.com/kb/SLN5673.html" },
  ],
  "BIMI draft": `${draft}brand-indicators-for-message-identification`,
  "draft-brand-indicators-for-message-identification": `${draft}brand-indicators-for-message-identification`,
  "draft-svg-tiny-ps-abrotman": `${draft}svg-tiny-ps-abrotman`,
  "BIMI Group: creating BIMI SVG logo files": "https://bimigroup.org/creating-bimi-svg-logo-files/",
  "list owners' pages": [
    spamhausZen,
    { title: "SpamCop", url: "https://www.spamcop.net/bl.shtml" },
    { title: "Barracuda", url: "https://www.barracudacentral.org/rbl" },
  ],
  "Spamhaus DBL pages": [spamhausDbl],
  "Spamhaus DBL, SURBL, URIBL pages": domainLists,
  "Spamhaus DBL, SURBL and URIBL pages": domainLists,
  "DNSWL pages": "https://www.dnswl.org/",
  "public filter rules": filterRules,
  "rspamd and SpamAssassin documents": [
    { title: "rspamd documentation", url: "https://docs.rspamd.com/" },
    { title: "SpamAssassin documentation", url: "https://spamassassin.apache.org/doc.html" },
  ],
  "UTS #39": "https://www.unicode.org/reports/tr39/",
  "UAX #9": "https://www.unicode.org/reports/tr9/",
  "HTML standard §13.2": "https://html.spec.whatwg.org/multipage/parsing.html",
  "WCAG 1.1.1": `${w3c}/#non-text-content`,
  "WCAG 1.3.1": `${w3c}/#info-and-relationships`,
  "WCAG 1.3.2": `${w3c}/#meaningful-sequence`,
  "WCAG 1.4.3": `${w3c}/#contrast-minimum`,
  "WCAG 2.4.2": `${w3c}/#page-titled`,
  "WCAG 2.4.4": `${w3c}/#link-purpose-in-context`,
  "WCAG 2.4.6": `${w3c}/#headings-and-labels`,
  "WCAG 3.1.1": `${w3c}/#language-of-page`,
  "caniemail.com": `${caniemail}/`,
  "client support tables": `${caniemail}/features/`,
  "caniemail: color-scheme, prefers-color-scheme": [
    { title: "caniemail: color-scheme", url: `${caniemail}/features/css-color-scheme/` },
    { title: "caniemail: prefers-color-scheme", url: `${caniemail}/features/css-at-media-prefers-color-scheme/` },
  ],
  "caniemail: <style>, <link>, @import": [
    { title: "caniemail: <style>", url: `${caniemail}/features/html-style/` },
    { title: "caniemail: <link>", url: `${caniemail}/features/html-link/` },
    { title: "caniemail: @import", url: `${caniemail}/features/css-at-import/` },
  ],
  "AMP for Email documents":
    "https://amp.dev/documentation/guides-and-tutorials/email/learn/email-spec/amp-email-structure",
  "CAN-SPAM Act, 15 U.S.C. § 7704(a)(5)": "https://www.law.cornell.edu/uscode/text/15/7704",
};

/** Citations without a page: common practice and observations. */
export const withoutPage: ReadonlySet<string> = new Set([
  "no standard",
  "no standard (mail design practice)",
  "no standard (template practice)",
  "no standard (inbox display practice)",
  "mail design practice",
  "observed clip size",
]);
