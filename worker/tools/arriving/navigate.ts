// browser_navigate: opens another page and shows it.
import { type Arrival, navigate as open } from "../../actions/navigation.ts";
import { checkAllowed, parseAddress } from "../../session/url-policy.ts";
import { haltLine } from "../../snapshot/notes.ts";
import { shownUrl } from "../../snapshot/quote.ts";
import { wholePage } from "../../snapshot/reply.ts";
import type { Page } from "../../tab/page.ts";
import type { ToolHandler } from "../tool.ts";

export const navigate: ToolHandler<"Navigate"> = async ({ url }, { page, role, session, call }) => {
  const address = parseAddress(url, session.tabs.addressOf(call.tab || undefined) || role.config.startUrl);
  checkAllowed(address, role.policy);
  const shown = await page({ blank: true });
  const arrival = await open(shown, address.href);
  return { ...arrival, text: await tellArrival("Opened", shown, arrival) };
};

/** Writes what happened, then the page. */
export async function tellArrival(
  did: string,
  page: Page,
  { requestedUrl, finalUrl, status, redirects, timeMs, isDownload }: Arrival,
): Promise<string> {
  if (isDownload)
    return await wholePage(page, [
      `The address is a download: ${shownUrl(requestedUrl)}`,
      `The tab still shows: ${shownUrl(finalUrl)}`,
    ]);
  const lines = [
    `${did} ${shownUrl(finalUrl)}`,
    ...(requestedUrl === finalUrl ? [] : [`Requested: ${shownUrl(requestedUrl)}`]),
    ...(status ? [`Status: ${status}`] : []),
    ...(redirects ? [`Redirects: ${redirects}`] : []),
    `Time: ${timeMs} ms`,
  ];
  if (page.tab.halt) return [...lines, haltLine(page.tab.halt)].join("\n");
  return await wholePage(page, lines);
}
