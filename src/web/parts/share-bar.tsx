// Shares of a whole as lengths of one bar. SVG geometry and not a style, which the policy refuses.

export type ShareLook = {
  readonly word: string;
  /** A pattern of the page's own; null: the class colours it. */
  readonly fill: string | null;
  readonly className: string | undefined;
};

type Share<L extends ShareLook> = L & { readonly share: number; readonly left: number };

/** One behind the other; what is too small to be shown still takes its place. */
export function toShares<L extends ShareLook>(
  looks: readonly L[],
  shareOf: (look: L) => number,
  isShown: (share: number) => boolean,
): Share<L>[] {
  let left = 0;
  return looks.flatMap((look) => {
    const share = shareOf(look);
    const placed = { ...look, share, left };
    left += share;
    return isShown(share) ? [placed] : [];
  });
}

/** Inside of an svg. */
export function ShareRects({ shares }: { readonly shares: readonly Share<ShareLook>[] }) {
  return (
    <>
      {shares.map(({ word, share, left, fill, className }) => (
        <rect
          key={word}
          x={`${left * 100}%`}
          width={`${share * 100}%`}
          height="100%"
          class={className}
          fill={fill ?? undefined}
        />
      ))}
    </>
  );
}
