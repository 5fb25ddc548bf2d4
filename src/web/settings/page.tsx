import { useArrival, useTitle } from "../client/router.tsx";
import { PageHeading } from "../parts/heading.tsx";

export function SettingsPage() {
  useTitle("Settings");
  useArrival(true);
  return <PageHeading title="Settings" />;
}
