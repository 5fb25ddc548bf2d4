// The pages of links in alert mail: a question with one button, without scripts. The button posts to the same path.

import {
  confirmAlertEmail,
  readConfirmAlertEmail,
  readUnsubscribeAlertEmail,
  unsubscribeAlertEmail,
} from "../api/alert-pages.ts";
import { Refusal } from "../errors.ts";
import type { LinkedAddress } from "../tasks/alerts/addresses.ts";
import { escapeMarkup } from "../visible-text.ts";
import { accountPageStyle } from "./account-pages.ts";
import { styleSource } from "./docs-page.ts";
import { statusOf } from "./errors.ts";
import { type RawBody, type Route, route } from "./route.ts";

export const alertPageRoutes: readonly Route[] = [
  route(readConfirmAlertEmail, async ({ params: { token }, headers }, { alertAddresses }) => {
    const linked = await alertAddresses.readConfirmation(token);
    return linked ? answerPage(askToConfirm(linked)) : answerInvalid(deadLink, headers);
  }),

  route(confirmAlertEmail, async ({ params: { token }, headers, body }, { alertAddresses }) => {
    await dropForm(body);
    const linked = await alertAddresses.confirm(token);
    return linked ? answerPage(confirmed(linked)) : answerInvalid(deadLink, headers);
  }),

  route(readUnsubscribeAlertEmail, async ({ params: { token }, headers }, { alertAddresses }) => {
    const linked = await alertAddresses.readSubscription(token);
    if (!linked) return answerInvalid(unknownLink, headers);
    return answerPage(linked.isOn ? askToUnsubscribe(linked) : unsubscribed(linked));
  }),

  route(unsubscribeAlertEmail, async ({ params: { token }, headers, body }, { alertAddresses }) => {
    await dropForm(body);
    const linked = await alertAddresses.unsubscribe(token);
    return linked ? answerPage(unsubscribed(linked)) : answerInvalid(unknownLink, headers);
  }),
];

/** Enough for List-Unsubscribe=One-Click, also as a multipart form. */
const longestForm = 4_000;

/** What it says doesn't matter: the token is in the path. */
async function dropForm(body: RawBody): Promise<void> {
  await body.read(longestForm);
}

type AlertPage = { readonly title: string; readonly says: readonly string[]; readonly action: string | null };

const deadLink: AlertPage = {
  title: "This link no longer works",
  says: [
    "It was used, replaced by a newer one, or has expired. Ask for a new confirmation email if you want alerts.",
  ],
  action: null,
};

const unknownLink: AlertPage = {
  title: "This link is not valid",
  says: ["Open the full link from the email, or use the unsubscribe button of your email client."],
  action: null,
};

function askToConfirm({ address, workspace }: LinkedAddress): AlertPage {
  return {
    title: "Get alerts by email?",
    says: [
      `The Assay workspace “${workspace}” wants to send alerts about email delivery to ${address}.`,
      "You can unsubscribe in every email.",
    ],
    action: "Yes, send me alerts",
  };
}

function confirmed({ address, workspace }: LinkedAddress): AlertPage {
  return {
    title: "You get alerts now",
    says: [`Alerts from the Assay workspace “${workspace}” will be sent to ${address}.`],
    action: null,
  };
}

function askToUnsubscribe({ address, workspace }: LinkedAddress): AlertPage {
  return {
    title: "Unsubscribe from alerts?",
    says: [`${address} will get no more alerts from the Assay workspace “${workspace}”.`],
    action: "Unsubscribe",
  };
}

function unsubscribed({ address, workspace }: LinkedAddress): AlertPage {
  return {
    title: "You are unsubscribed",
    says: [
      `${address} gets no alerts from the Assay workspace “${workspace}”.`,
      "To get alerts again, ask a member of the workspace to send you a confirmation email.",
    ],
    action: null,
  };
}

const policy = `default-src 'none'; style-src ${styleSource(accountPageStyle)}; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`;

/** People can't use a line of JSON. */
function answerInvalid(page: AlertPage, { accept }: { readonly accept?: string | undefined }): Response {
  if (!accept?.includes("text/html")) throw new Refusal("invalid_link", page.says.join(" "));
  return answerPage(page, statusOf.invalid_link);
}

function answerPage({ title, says, action }: AlertPage, status = 200): Response {
  const button =
    action === null ? "" : `<form method="post"><button>${escapeMarkup(action)}</button></form>\n`;
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${accountPageStyle}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
${says.map((line) => `<p>${escapeMarkup(line)}</p>`).join("\n")}
${button}</main>
</body>
</html>
`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cache-control": "no-store",
    // With "no-referrer", browsers send a form without its origin.
    "referrer-policy": "same-origin",
    "x-robots-tag": "noindex, nofollow, noarchive",
  };
  return new Response(page, { status, headers });
}
