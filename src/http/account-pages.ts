import type { LinkKind } from "../accounts/links.ts";
import { readAccountScript, readInvitationPage, readResetPage, readSetUpPage } from "../api/account-pages.ts";
import { acceptInvitation, resetPassword, setUp } from "../api/accounts.ts";
import { readHome, readStartPage } from "../api/web-pages.ts";
import { styleSource } from "./docs-page.ts";
import { type Route, route } from "./route.ts";

// The page behind a one-time link: one form with its own style and script, and nothing from other hosts.

export const accountPageStyle = `
:root { color-scheme: light dark; --paper: light-dark(#f5f4f0, #111317); --surface: light-dark(#fff, #191c21);
  --line: light-dark(#8b8778, #6a7280); --ink: light-dark(#17191e, #eceef1); --ink-2: light-dark(#5c5f68, #9da3af);
  --link: light-dark(#174a94, #8dbaf7); --bad: light-dark(#a3211b, #ff9d94); }
body { margin: 0 auto; max-width: 26rem; padding: 10vh 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.375rem; }
a { color: var(--link); }
label { display: block; margin: 1rem 0 0; }
small { display: block; color: var(--ink-2); }
input:not([type=checkbox]), button { box-sizing: border-box; width: 100%; margin: 0.25rem 0 0; padding: 0.6rem 0.75rem;
  border: 1px solid var(--line); border-radius: 6px; background: var(--surface); color: inherit; font: inherit; }
input[aria-invalid] { border-color: var(--bad); }
button { margin-top: 1.5rem; border-color: var(--link); background: var(--link); color: var(--paper); cursor: pointer; }
button:disabled { opacity: 0.6; cursor: default; }
#trouble { color: var(--bad); }
[hidden] { display: none; }
`;

const accountPagePolicy = `default-src 'none'; script-src 'self'; style-src ${styleSource(accountPageStyle)}; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

const nameField = (isRequired: boolean, note: string) => `<label>Your name
<input name="name" autocomplete="name" maxlength="100"${isRequired ? " required" : ""}>${note}</label>`;

const emailField = `<label>Email address
<input name="email" type="email" autocomplete="username" maxlength="254" required></label>`;

const passwordField = (note: string) => `<label>Password
<input name="password" type="password" autocomplete="new-password" maxlength="200" required>
<small>${note}</small></label>
<label><input type="checkbox" id="show"> Show password</label>`;

const newPasswordNote = "At least 10 characters. Three or four unrelated words work well.";

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
    next: readStartPage.path,
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
    next: readHome.path,
  },
  passwordReset: {
    title: "Choose a new password",
    intro: "This replaces your old password and logs you out on all other devices.",
    to: resetPassword.path,
    fields: [passwordField(newPasswordNote)],
    action: "Set password",
    next: readHome.path,
  },
};

function renderAccountPage(kind: LinkKind): string {
  const { title, intro, to, fields, action, next } = pages[kind];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${accountPageStyle}</style>
<script src="${readAccountScript.path}" defer></script>
</head>
<body>
<main>
<h1>${title}</h1>
<form method="post" data-to="${to}" data-next="${next}">
<p>${intro}</p>
${fields.join("\n")}
<p id="trouble" role="alert" hidden></p>
<button>${action}</button>
</form>
<p id="done" role="status" hidden>You are logged in as <strong></strong>. <a href="${next}">Continue</a></p>
<noscript><p>This page needs JavaScript. Turn it on in your browser and reload.</p></noscript>
</main>
</body>
</html>
`;
}

/** Sends the form of an account page as JSON, with the token from the link, and shows the result. */
const accountScript = `"use strict";
const form = document.querySelector("form");
const button = form.querySelector("button");
const trouble = document.getElementById("trouble");
const done = document.getElementById("done");
const token = location.hash.slice(1);

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

async function send() {
  const filled = [...new FormData(form)].filter(([, value]) => value !== "");
  const answer = await fetch(form.dataset.to, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token, ...Object.fromEntries(filled) }),
  });
  const body = await answer.json();
  if (answer.ok) finish(body);
  else complain(body.message, body.field);
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

if (token === "") complain("This link is incomplete. Open the full link, including the part after the #.");
`;

export const accountPageRoutes: readonly Route[] = [
  route(readSetUpPage, () => answerPage(renderAccountPage("setUp"))),
  route(readInvitationPage, () => answerPage(renderAccountPage("invitation"))),
  route(readResetPage, () => answerPage(renderAccountPage("passwordReset"))),
  route(
    readAccountScript,
    () => new Response(accountScript, { headers: { "content-type": "text/javascript; charset=utf-8" } }),
  ),
];

function answerPage(page: string): Response {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": accountPagePolicy,
    "cache-control": "no-store",
  };
  return new Response(page, { headers });
}
