import { useId } from "preact/hooks";
import type { Trouble } from "../client/ask.ts";
import { troubleAt } from "../client/doing.ts";
import { Choice, Field } from "../parts/field.tsx";
import { toProviderName } from "../report/placement-row.ts";
import { type Security, usualPorts } from "./mailbox-places.ts";

const securities = [
  { value: "tls", label: "TLS at once" },
  { value: "starttls", label: "STARTTLS" },
] as const;

const shownProviders = ["gmail", "outlook", "yahoo", "icloud", "generic"] as const;

type ServerFieldsProps = {
  readonly trouble: Trouble | null;
  readonly security: Security;
  readonly onSecurity: (security: Security) => void;
};

/** Of a server that we do not know by the provider's name. */
export function ServerFields({ trouble, security, onSecurity }: ServerFieldsProps) {
  return (
    <>
      <Field
        label="Server"
        name="host"
        autoComplete="off"
        required
        hint="Its name for IMAP, like imap.example.com."
        error={troubleAt(trouble, "host")}
      />
      <div class="grid g2 mailbox-port">
        <div class="field">
          <span class="as-label">Encryption</span>
          <Choice legend="Encryption" options={securities} value={security} onChoose={onSecurity} />
        </div>
        <Field
          label="Port"
          name="port"
          type="number"
          min="1"
          max="65535"
          hint={`${usualPorts[security]} unless you say another.`}
          error={troubleAt(trouble, "port")}
        />
      </div>
    </>
  );
}

const rare = ["address", "provider"];

/** What is right for most as it is. */
export function RareFields({ trouble }: { readonly trouble: Trouble | null }) {
  return (
    <details open={rare.includes(trouble?.field ?? "")}>
      <summary>Its address, and whose placement it shows</summary>
      <div class="stack mt-3">
        <Field
          label="Address, where the user name is none"
          name="address"
          type="email"
          autoComplete="off"
          error={troubleAt(trouble, "address")}
        />
        <ShownProvider error={troubleAt(trouble, "provider")} />
      </div>
    </details>
  );
}

function ShownProvider({ error }: { readonly error: string | null }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Shows placement at</label>
      <select class="input" id={id} name="provider" aria-describedby={`${id}-hint`}>
        <option value="">what the server’s name says</option>
        {shownProviders.map((provider) => (
          <option key={provider} value={provider}>
            {toProviderName(provider)}
          </option>
        ))}
        <option value="own">itself alone</option>
      </select>
      <span class="hint" id={`${id}-hint`}>
        Whose prediction is held against what this mailbox shows.
      </span>
      {error && (
        <span class="err" role="alert">
          {error}
        </span>
      )}
    </div>
  );
}
