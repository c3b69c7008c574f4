// Builds the package when npm packs it, which it also does for a dependency from git. npm names the package's origin then.
// An installation in a checkout builds nothing.
import { execFileSync } from "node:child_process";

// Standard output belongs to `npm pack --json`.
if (process.env.npm_package_resolved) execFileSync("npm", ["run", "build"], { stdio: ["ignore", 2, 2] });
