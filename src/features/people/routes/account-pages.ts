import { mayUseSetUpCode } from "../../../platform/http/client-address.ts";
import { plainPageStyle, renderPlainPage, styleSource } from "../../../platform/http/plain-page.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import { readAccountScript, readInvitationPage, readResetPage, readSetUpPage } from "../contract/account-pages.ts";
import { acceptInvitation, checkLink, resetPassword, setUp } from "../contract/accounts.ts";
import type { LinkKind } from "../rules/links.ts";

// Pages that work without a login and without the web app: the form behind a one-time link, and "Page not found". Each has
// its own style, and nothing comes from other hosts.

const accountPagePolicy = `default-src 'none'; script-src 'self'; style-src ${styleSource(plainPageStyle)}; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": accountPagePolicy,
  "cache-control": "no-store",
};

const nameField = (isRequired: boolean, note: string) => `<label>Your name
<input name="name" autocomplete="name" maxlength="100"${isRequired ? " required" : ""}>${note}</label>`;

const emailField = `<label>Email address
<input name="email" type="email" autocomplete="username" maxlength="254" required></label>`;

const passwordField = (note: string) => `<label>Password
<input name="password" type="password" autocomplete="new-password" maxlength="200" required>
<small>${note}</small></label>
<label><input type="checkbox" id="show"> Show password</label>`;

const newPasswordNote = "At least 10 characters. Three or four unrelated words work well.";

const codeField = `<label id="by-code" hidden>Setup code
<input name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" placeholder="ABCD-EFGH">
<small>In the terminal where Assay was started, it is after “Code”.</small></label>`;

type Page = {
  readonly title: string;
  readonly intro: string;
  readonly to: string;
  readonly fields: readonly string[];
  readonly action: string;
  /** Where the user goes after logging in. */
  readonly next: string;
};

const pages: Readonly<Record<LinkKind, Page>> = {
  setUp: {
    title: "Set up Assay",
    intro: "Create the owner account for this server.",
    to: setUp.path,
    fields: [nameField(true, ""), emailField, passwordField(newPasswordNote)],
    action: "Create account",
    next: "/start",
  },
  invitation: {
    title: "Join a workspace",
    intro: "You have been invited to a workspace. If you already have an account, enter its password.",
    to: acceptInvitation.path,
    fields: [
      nameField(false, "<small>Not needed if you already have an account.</small>"),
      passwordField(newPasswordNote),
    ],
    action: "Join",
    next: "/",
  },
  passwordReset: {
    title: "Choose a new password",
    intro: "This replaces your old password and logs you out on all other devices.",
    to: resetPassword.path,
    fields: [passwordField(newPasswordNote)],
    action: "Set password",
    next: "/",
  },
};

/** For servers with an organization's login. */
function toSetUpNote({ otherLogins, config }: Pick<Server, "otherLogins" | "config">): string {
  if (otherLogins.ways.size === 0) return "";
  const emergency = "Your password is for emergencies, when your organization’s login isn’t available.";
  return `${config.login === "oidc" ? `<p>${emergency}</p>\n` : ""}<p>Are you already an owner in your organization? <a href="/login">Log in</a></p>\n`;
}

function renderAccountPage(kind: LinkKind, mayUseCode = false, note = ""): string {
  const { title, intro, to, fields, action, next } = pages[kind];
  return renderPlainPage(
    title,
    `<form method="post" data-kind="${kind}" data-to="${to}" data-next="${next}">
<p id="intro">${intro}</p>
${note}<p id="trouble" role="alert" hidden></p>
<div id="fields">
${mayUseCode ? `${codeField}\n` : ""}${fields.join("\n")}
<button>${action}</button>
</div>
</form>
<p id="elsewhere" hidden><a href="/login">Go to the login page</a></p>
<p id="done" role="status" hidden>You are logged in as <strong></strong>. <a href="${next}">Continue</a></p>
<noscript><p>This page needs JavaScript. Turn it on in your browser and reload.</p></noscript>`,
    `<script src="${readAccountScript.path}" defer></script>\n`,
  );
}

/** Setup is over: the link may be used, or bookmarked. */
const renderSetUpDone = () =>
  renderPlainPage(
    "Assay is set up",
    `<p>This server already has an owner, so its setup links no longer work.</p>
<p><a href="/login">Log in</a></p>`,
  );

/** Sends the form of an account page as JSON, with the token from the link, and shows the result. */
const accountScript = `"use strict";
const form = document.querySelector("form");
const fields = document.getElementById("fields");
const byCode = document.getElementById("by-code");
const button = form.querySelector("button");
const trouble = document.getElementById("trouble");
const elsewhere = document.getElementById("elsewhere");
const done = document.getElementById("done");
const token = location.hash.slice(1);
let usesCode = false;

function complain(message, field) {
  const input = field && form.elements.namedItem(field);
  const label = input ? input.labels[0].firstChild.textContent.trim() : "";
  trouble.textContent = input ? message.replace(JSON.stringify(field), label) : message;
  trouble.hidden = message === "";
  for (const each of form.elements) each.removeAttribute("aria-invalid");
  if (!input) return;
  input.setAttribute("aria-invalid", "true");
  input.focus();
}

function finish({ user }) {
  done.querySelector("strong").textContent = user.email;
  form.hidden = true;
  done.hidden = false;
  location.replace(form.dataset.next);
}

function post(path, body) {
  return fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function send() {
  const filled = [...new FormData(form)].filter(([name, value]) => value !== "" && (usesCode || name !== "code"));
  const answer = await post(form.dataset.to, { ...(usesCode ? {} : { token }), ...Object.fromEntries(filled) });
  const body = await answer.json();
  if (answer.ok) finish(body);
  else if (body.error === "second_factor_required") location.replace("/login?second-factor");
  else {
    elsewhere.hidden = body.error !== "invalid_credentials";
    complain(body.message, body.field);
  }
}

/** The form can't be used. What it says about itself is no longer true. */
function giveUp(message) {
  fields.hidden = true;
  document.getElementById("intro").hidden = true;
  elsewhere.hidden = form.dataset.kind === "setUp";
  complain(message);
}

function askForCode() {
  usesCode = true;
  byCode.hidden = false;
  byCode.querySelector("input").required = true;
}

/** Says that a link is of no use before anyone fills in the form. */
async function begin() {
  if (token === "" && byCode) return askForCode();
  if (token === "") {
    return giveUp(
      form.dataset.kind === "setUp"
        ? "This server has no owner yet. Open the setup link that the terminal shows where Assay was started, or print a new one: assay setup-link (in a checkout: npm run -s assay -- setup-link)."
        : "This link is incomplete. Open the full link, including the part after the #.",
    );
  }
  const answer = await post("${checkLink.path}", { kind: form.dataset.kind, token });
  if (answer.status !== 400) return;
  const { message } = await answer.json();
  if (byCode) {
    complain("This link is invalid, already used, or expired. Enter the setup code from the terminal instead.");
    askForCode();
  } else giveUp(message);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  complain("");
  button.disabled = true;
  try {
    await send();
  } catch {
    complain("The server did not respond. Try again in a moment.");
  }
  button.disabled = false;
});

document.getElementById("show").addEventListener("change", ({ target }) => {
  form.elements.namedItem("password").type = target.checked ? "text" : "password";
});

begin().catch(() => {});
`;

export const accountPageRoutes: readonly Route[] = [
  route(readSetUpPage, async ({ client }, dependencies) => {
    const { firstOwner, config } = dependencies;
    return (await firstOwner.isMissing())
      ? answerPage(renderAccountPage("setUp", mayUseSetUpCode(client, config), toSetUpNote(dependencies)))
      : answerPage(renderSetUpDone());
  }),
  route(readInvitationPage, () => answerPage(renderAccountPage("invitation"))),
  route(readResetPage, () => answerPage(renderAccountPage("passwordReset"))),
  route(
    readAccountScript,
    () => new Response(accountScript, { headers: { "content-type": "text/javascript; charset=utf-8" } }),
  ),
];

function answerPage(page: string): Response {
  return new Response(page, { headers: pageHeaders });
}
