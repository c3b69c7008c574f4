// Checks that fonts exist. Without them Chrome draws boxes, and text of another width breaks layouts.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { type Finding, unwell, well } from "../../proto/machine/finding.ts";

const FONT = /\.(?:ttf|otf|ttc|pfb|woff2?)$/i;
const MEND =
  "Install fonts, on Debian and Ubuntu: apt-get install fonts-liberation fonts-noto-core fonts-noto-cjk";

/** Returns the folders where this system keeps its fonts. */
export function fontFolders(home: string, platform: NodeJS.Platform = process.platform): string[] {
  if (platform === "darwin")
    return ["/System/Library/Fonts", "/Library/Fonts", path.join(home, "Library/Fonts")];
  return [
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    path.join(home, ".fonts"),
    path.join(home, ".local/share/fonts"),
  ];
}

/** `bringsItsOwn`: the browser has fonts beside it. */
export async function fontsFinding(folders: readonly string[], bringsItsOwn: boolean): Promise<Finding> {
  if (bringsItsOwn) return well("fonts", "the browser brings its own");
  const counts = await Promise.all(folders.map(fontsIn));
  const count = counts.reduce((sum, each) => sum + each, 0);
  return count > 0 ? well("fonts", `${count} files`) : unwell("fonts", "none are installed", MEND);
}

async function fontsIn(folder: string): Promise<number> {
  try {
    const names = await readdir(folder, { recursive: true });
    return names.filter((name) => FONT.test(name)).length;
  } catch {
    // A folder that is missing or unreadable has no fonts for Chrome either.
    return 0;
  }
}
