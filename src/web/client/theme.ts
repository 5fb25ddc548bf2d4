// Light, dark, or the system's theme. This browser remembers the choice.

import { useEffect, useState } from "preact/hooks";
import { keep, readKept } from "./kept.ts";

export const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const key = "assay-theme";

export function readTheme(): Theme {
  const kept = readKept(key);
  return themes.find((theme) => theme === kept) ?? "auto";
}

export function applyTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function keepTheme(theme: Theme): void {
  applyTheme(theme);
  keep(key, theme);
  for (const follow of followers) follow(theme);
}

const followers = new Set<(theme: Theme) => void>();

/** All places that show or change the theme stay in sync. */
export function useTheme(): Theme {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    followers.add(setTheme);
    return () => {
      followers.delete(setTheme);
    };
  }, []);
  return theme;
}
