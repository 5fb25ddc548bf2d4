import { Icon } from "../parts/icon.tsx";

export function LaboratoryCard() {
  return (
    <section class="card stack" aria-label="Visit the laboratory">
      <h3>Visit the laboratory</h3>
      <p class="muted">
        Prepared messages, in order or with one fault each, sent on one click: see what a report says before
        you read your own.
      </p>
      <a class="btn" href="/laboratory">
        <Icon name="flask" />
        Open the laboratory
      </a>
    </section>
  );
}
