// The forms below /docs/api that send a request with the reader's login. Without this script the pages are complete,
// and the forms stay hidden.

import { readKept, workspaceKey } from "../../../web/client/kept.ts";

type Workspace = { readonly id: string; readonly name: string };

/** More text would make the page slow. */
const mostShown = 100_000;

async function start(): Promise<void> {
  const panel = find<HTMLElement>(document, "#try");
  panel.hidden = false;
  const response = await fetch("/api/me");
  if (!response.ok) return;
  const { workspaces } = (await response.json()) as { readonly workspaces: readonly Workspace[] };
  find<HTMLElement>(panel, "[data-logged-out]").hidden = true;
  find<HTMLElement>(panel, "[data-logged-in]").hidden = false;
  const select = find<HTMLSelectElement>(panel, "select");
  const last = readKept(workspaceKey);
  select.append(...workspaces.map(({ id, name }) => new Option(name, id, false, id === last)));
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-method]")) {
    const details = form.closest("details");
    if (details !== null) details.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send(form, select.value);
    });
  }
}

async function send(form: HTMLFormElement, workspaceId: string): Promise<void> {
  const output = find<HTMLElement>(form, "output");
  const button = find<HTMLButtonElement>(form, "button");
  button.disabled = true;
  output.textContent = "Sending…";
  try {
    output.textContent = await request(form, workspaceId);
  } catch {
    output.textContent = "The server can’t be reached.";
  } finally {
    button.disabled = false;
  }
}

async function request(form: HTMLFormElement, workspaceId: string): Promise<string> {
  const { method = "GET", path = "", type } = form.dataset;
  const body = form.querySelector("textarea")?.value;
  const began = performance.now();
  const response = await fetch(toAddress(path, form), {
    method,
    headers: {
      ...(workspaceId === "" ? {} : { "X-Workspace-Id": workspaceId }),
      ...(type === undefined ? {} : { "Content-Type": type }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const ms = Math.round(performance.now() - began);
  return `HTTP ${response.status} in ${ms} ms\n\n${toReadable(text)}`;
}

function toAddress(path: string, form: HTMLFormElement): string {
  const query = new URLSearchParams();
  let address = path;
  for (const { name, value, dataset } of form.querySelectorAll("input")) {
    if (dataset.in === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "") query.set(name, value);
  }
  return query.size === 0 ? address : `${address}?${query}`;
}

function toReadable(text: string): string {
  const readable = toIndented(text);
  return readable.length > mostShown ? `${readable.slice(0, mostShown)}\n…` : readable;
}

function toIndented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function find<E extends Element>(within: ParentNode, selector: string): E {
  const element = within.querySelector<E>(selector);
  if (element === null) throw new Error(`The page has no ${selector}.`);
  return element;
}

void start();
