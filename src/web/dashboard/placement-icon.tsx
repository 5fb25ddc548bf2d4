// How the folders look in the dashboard's charts: a colour and a pattern each, and a word beside them.

export const placementLooks = [
  { rate: "inboxRate", word: "Inbox", fill: null, className: "f-inbox" },
  { rate: "promoRate", word: "Promotions", fill: "url(#h-promo)", className: undefined },
  { rate: "spamRate", word: "Spam", fill: "url(#h-spam)", className: undefined },
] as const;

export function PlacementKey({ hasEmpty = false }: { readonly hasEmpty?: boolean }) {
  return (
    <p class="key">
      {placementLooks.map(({ rate, word, fill, className }) => (
        <span key={rate}>
          <svg aria-hidden="true">
            <rect width="14" height="12" class={className} fill={fill ?? undefined} />
          </svg>
          {word}
        </span>
      ))}
      {hasEmpty && <EmptyKey />}
    </p>
  );
}

export function EmptyKey() {
  return (
    <span>
      <svg aria-hidden="true">
        <rect class="empty" width="14" height="12" />
      </svg>
      No tests
    </span>
  );
}
