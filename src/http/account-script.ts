/** Sends the one form of an account page as JSON, with what the link bears, and says what came of it. */
export const accountScript = `"use strict";
const form = document.querySelector("form");
const button = form.querySelector("button");
const trouble = document.getElementById("trouble");
const done = document.getElementById("done");
const token = location.hash.slice(1);

function complain(message, field) {
  trouble.textContent = message;
  trouble.hidden = message === "";
  for (const input of form.elements) input.removeAttribute("aria-invalid");
  const input = field && form.elements.namedItem(field);
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
    complain("The server did not answer. Try again in a moment.");
  }
  button.disabled = false;
});

document.getElementById("show").addEventListener("change", ({ target }) => {
  form.elements.namedItem("password").type = target.checked ? "text" : "password";
});

if (token === "") complain("This address is not whole: open the link as it was given to you, with all that stands behind the #.");
`;
