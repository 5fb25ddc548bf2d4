// The form of a new API token, in words for people who don't know scopes.

import { useState } from "preact/hooks";
import { call } from "../../../web/client/call.ts";
import { Field } from "../../../web/parts/form.tsx";
import { FormDialog, NameField, SelectField } from "../../../web/settings/parts.tsx";
import type { ApiToken, IssuedApiToken } from "../contract/tokens.ts";

type Scope = ApiToken["scope"];
type ScopeWords = { readonly label: string; readonly short: string; readonly means: string };

export const scopeWords: Readonly<Record<Scope, ScopeWords>> = {
  read: {
    label: "Read: see everything",
    short: "Read",
    means:
      "Changes nothing. For waiting for a test in a pipeline, for reports and exports, and for AI agents that only read.",
  },
  write: {
    label: "Write: also send and analyze",
    short: "Write",
    means:
      "Also sends, uploads, re-analyzes, shares, and deletes tests, and manages domains and monitors. For pipelines that send through Assay.",
  },
  admin: {
    label: "Admin: also change settings",
    short: "Admin",
    means: "Also changes alerts, integrations, seed inboxes, relays, and rules. For scripts that set Assay up.",
  },
  full: {
    label: "Full: everything you can do here",
    short: "Full",
    means:
      "Also manages members, tokens, the plan, and the workspace itself, with your role. Only for scripts that you trust like yourself.",
  },
};

const scopeOptions = (["read", "write", "admin", "full"] as const).map((value) => ({
  value,
  label: scopeWords[value].label,
}));

const lifetimes = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "Never" },
] as const;

type NewTokenProps = { readonly onClose: () => void; readonly onIssued: (token: IssuedApiToken) => void };

export function NewToken({ onClose, onIssued }: NewTokenProps) {
  const [scope, setScope] = useState<Scope>("read");
  const create = async (form: FormData) => {
    const label = String(form.get("label"));
    const body = {
      name: String(form.get("name")),
      scope,
      label: label === "" ? null : label,
      expiresAt: toEnd(String(form.get("life"))),
    };
    onIssued(await call("POST /api/tokens", { body }));
  };
  return (
    <FormDialog
      title="Create token"
      action="Create token"
      act={create}
      failed="Couldn’t create the token."
      onClose={onClose}
    >
      <NameField name="name" hint="What the token is for, such as “ci”." missing="Enter a name for the token." />
      <SelectField
        label="What it may do"
        name="scope"
        value={scope}
        options={scopeOptions}
        hint={scopeWords[scope].means}
        onChange={(value) => setScope(value as Scope)}
      />
      <Field
        label="Only tests with this label"
        name="label"
        hint="Optional. The label is the text after + in the seed address. The token then sees and sends nothing else."
      />
      <SelectField label="Expires after" name="life" value="90" options={lifetimes} />
      <p class="small muted">
        No token reaches your password, second factors, logins, or other workspaces. Tokens, invitations, and share
        links that a token creates end with it.
      </p>
    </FormDialog>
  );
}

const dayMs = 86_400_000;

function toEnd(life: string): string | null {
  return life === "never" ? null : new Date(Date.now() + Number(life) * dayMs).toISOString();
}
