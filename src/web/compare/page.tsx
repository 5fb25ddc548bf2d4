import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";

export function ComparePage() {
  useTitle("Compare");
  useArrival(true);
  return <PageHeading title="Compare" />;
}
