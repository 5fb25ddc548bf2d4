// The pages of links in alert mail: a question with one button, without scripts. The button posts to the same path.

import { Refusal, statusOf } from "../../../platform/errors.ts";
import { answerPlainPage, type PlainPage } from "../../../platform/http/plain-page.ts";
import { byStranger, type RawBody, type Route, route } from "../../../platform/route.ts";
import {
  confirmAlertEmail,
  readConfirmAlertEmail,
  readUnsubscribeAlertEmail,
  unsubscribeAlertEmail,
} from "../contract/alert-pages.ts";
import type { LinkedAddress } from "../work/addresses.ts";

export const alertPageRoutes: readonly Route[] = [
  route(readConfirmAlertEmail, async ({ params: { token }, headers }, { alertAddresses }) => {
    const linked = await alertAddresses.readConfirmation(token);
    return linked ? answerPlainPage(askToConfirm(linked)) : answerInvalid(deadLink, headers);
  }),

  route(confirmAlertEmail, async ({ params: { token }, headers, body }, { alertAddresses }) => {
    await dropForm(body);
    const linked = await alertAddresses.confirm(token);
    return linked ? answerPlainPage(confirmed(linked)) : answerInvalid(deadLink, headers);
  }).recording(byStranger),

  route(readUnsubscribeAlertEmail, async ({ params: { token }, headers }, { alertAddresses }) => {
    const linked = await alertAddresses.readSubscription(token);
    if (!linked) return answerInvalid(unknownLink, headers);
    return answerPlainPage(linked.isOn ? askToUnsubscribe(linked) : unsubscribed(linked));
  }),

  route(unsubscribeAlertEmail, async ({ params: { token }, headers, body }, { alertAddresses }) => {
    await dropForm(body);
    const linked = await alertAddresses.unsubscribe(token);
    return linked ? answerPlainPage(unsubscribed(linked)) : answerInvalid(unknownLink, headers);
  }).recording(byStranger),
];

/** Enough for List-Unsubscribe=One-Click, also as a multipart form. */
const longestForm = 4_000;

/** What it says doesn't matter: the token is in the path. */
async function dropForm(body: RawBody): Promise<void> {
  await body.read(longestForm);
}

const deadLink: PlainPage = {
  title: "This link no longer works",
  says: ["It was used, replaced by a newer one, or has expired. Ask for a new confirmation email if you want alerts."],
};

const unknownLink: PlainPage = {
  title: "This link is not valid",
  says: ["Open the full link from the email, or use the unsubscribe button of your email client."],
};

function askToConfirm({ address, workspace }: LinkedAddress): PlainPage {
  return {
    title: "Get alerts by email?",
    says: [
      `The Assay workspace “${workspace}” wants to send alerts about email delivery to ${address}.`,
      "You can unsubscribe in every email.",
    ],
    action: "Yes, send me alerts",
  };
}

function confirmed({ address, workspace }: LinkedAddress): PlainPage {
  return {
    title: "You get alerts now",
    says: [`Alerts from the Assay workspace “${workspace}” will be sent to ${address}.`],
  };
}

function askToUnsubscribe({ address, workspace }: LinkedAddress): PlainPage {
  return {
    title: "Unsubscribe from alerts?",
    says: [`${address} will get no more alerts from the Assay workspace “${workspace}”.`],
    action: "Unsubscribe",
  };
}

function unsubscribed({ address, workspace }: LinkedAddress): PlainPage {
  return {
    title: "You are unsubscribed",
    says: [
      `${address} gets no alerts from the Assay workspace “${workspace}”.`,
      "To get alerts again, ask a member of the workspace to send you a confirmation email.",
    ],
  };
}

/** People can't use a line of JSON. */
function answerInvalid(page: PlainPage, { accept }: { readonly accept?: string | undefined }): Response {
  if (!accept?.includes("text/html")) throw new Refusal("invalid_link", page.says.join(" "));
  return answerPlainPage(page, statusOf.invalid_link);
}
