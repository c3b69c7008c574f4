// Agents side by side: each has a session with tabs, a role and refs of its own. node parallel.ts URL…
import { connect } from "troupe";

await using troupe = await connect({ role: "visitor" });
const looks = process.argv.slice(2).map(async (url) => {
  await using session = troupe.newSession();
  const { page } = await session.navigate({ url });
  return `${page?.url} ${page?.title}`;
});
for (const look of await Promise.all(looks)) console.log(look);
