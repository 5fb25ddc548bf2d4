// What this browser remembers between visits.

/** Its value is the ID of the last workspace. */
export const workspaceKey = "assay-workspace";

/** Null if storage is blocked. */
export function readKept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Private browsing may block storage.
  }
}
