// Selectors that services publish for every customer alike. Keys cannot be listed (RFC 6376 §3.6.2), so of a domain that
// nobody has told a selector of these are tried; one that is absent proves nothing. Not those that are drawn by lot for
// each customer (Amazon SES, HubSpot, Salesforce), which no table can hold.

const rows: readonly (readonly [service: string, ...selectors: string[]])[] = [
  [
    "by hand",
    "default",
    "dkim",
    "mail",
    "email",
    "smtp",
    "mta",
    "key1",
    "key2",
    "dkim1024",
    "dkim2048",
    "dk",
  ],
  ["several services", "s1", "s2", "k1", "k2", "k3", "sig1"],
  ["Google Workspace", "google", "20230601"],
  ["Microsoft 365", "selector1", "selector2"],
  ["Mandrill", "mandrill", "mte1", "mte2"],
  ["Global Micro", "mxvault"],
  ["Everlytic", "everlytickey1", "everlytickey2", "eversrv"],
  ["Postmark", "pm"],
  ["Zoho", "zmail", "zoho"],
  ["Fastmail", "fm1", "fm2", "fm3"],
  ["Proton Mail", "protonmail", "protonmail2", "protonmail3"],
  ["SendGrid", "sm", "smtpapi"],
  ["Mailjet", "mailjet"],
  ["Mailgun", "mg", "mailo", "krs", "pic"],
  ["Constant Contact", "ctct1", "ctct2"],
  ["Campaign Monitor", "cm"],
  ["Brevo", "brevo1", "brevo2", "sib", "sendinblue"],
  ["Klaviyo", "kl", "kl2"],
  ["turboSMTP", "turbo-smtp"],
  ["MailerLite", "litesrv", "ml"],
  ["Resend", "resend"],
  ["SparkPost", "scph0316"],
];

export const wellKnownSelectors: readonly string[] = rows.flatMap(([, ...selectors]) => selectors);
