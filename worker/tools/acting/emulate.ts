// browser_emulate: changes what the session's pages learn of the device, the person and the network.
import { type ErrorData, fail } from "../../../proto/errors/catalogue.ts";
import type { Emulated, EmulateRequest } from "../../../proto/gen/troupe.ts";
import { nearest } from "../../../proto/text/nearest.ts";
import { perform } from "../../actions/perform.ts";
import { DEVICES, deviceName, emulatedWords, NOTHING, positionIn } from "../../session/emulated.ts";
import { inAllTabs } from "../debugging/in-all-tabs.ts";
import type { ToolContext, ToolHandler } from "../tool.ts";

export const emulate: ToolHandler<"Emulate"> = async (request, context) => {
  const now = wanted(request, context.session.emulation.now);
  return await emulateNow(context, now);
};

/** Emulates this from now on, and reports what changed on the page. */
export async function emulateNow(context: ToolContext, now: Emulated) {
  const page = await context.page();
  const { session } = context;
  return await perform(page, session, async (send) => {
    const before = session.emulation.now;
    const change = session.emulation.change(now);
    await send(async () => void (await inAllTabs(context, change)), { heard: true });
    session.changed();
    const isLate = before.device !== now.device || before.locale !== now.locale;
    // An open page has read its browser's name and language already.
    const hint = isLate ? ". Pages that are open learn all of it once they are loaded anew" : "";
    return { said: emulatedWords(now) + hint, fields: { emulated: now } };
  });
}

/** Throws INVALID_ARGUMENT for names that Chrome would not know. */
function wanted(request: EmulateRequest, before: Emulated): Emulated {
  const { reset, tab: _tab, ...given } = request;
  const checked = {
    ...given,
    ...(given.device && { device: deviceOf(given.device), width: 0, height: 0 }),
    ...(given.locale && { locale: localeOf(given.locale) }),
    ...(given.timezone && { timezone: timezoneOf(given.timezone) }),
    ...(given.geolocation && { geolocation: placeOf(given.geolocation) }),
  };
  const set = Object.fromEntries(Object.entries(checked).filter(([, value]) => value !== undefined));
  return { ...(reset ? NOTHING : before), ...set };
}

function deviceOf(name: string): string {
  const device = deviceName(name);
  if (device) return device;
  throw wrong("device", "there is no device of that name", nearest(name, DEVICES), [
    "iPhone 15",
    "Pixel 5",
    "iPad",
  ]);
}

function localeOf(name: string): string {
  const known = supportedLocale(name.trim().replaceAll("_", "-"));
  if (known) return known;
  throw wrong("locale", "there is no locale of that name", undefined, ["en-US", "de-DE", "ja-JP"]);
}

function supportedLocale(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)[0];
  } catch {
    // It is no language tag at all.
    return undefined;
  }
}

function timezoneOf(name: string): string {
  const zones = Intl.supportedValuesOf("timeZone");
  const plain = name.trim();
  const known = ["UTC", ...zones].find((zone) => zone.toLowerCase() === plain.toLowerCase());
  if (known) return known;
  const allowed = ["UTC", "Europe/Berlin", "Asia/Tokyo"];
  throw wrong("timezone", "there is no time zone of that name", nearest(plain, zones), allowed);
}

function placeOf(text: string): string {
  const position = positionIn(text);
  if (position) return `${position.latitude},${position.longitude}`;
  const data = { argument: "geolocation", problem: "geolocation is latitude and longitude in degrees" };
  throw fail("INVALID_ARGUMENT", { ...data, hint: "with geolocation such as 52.52,13.405" });
}

function wrong(argument: string, problem: string, meant: string | undefined, allowed: string[]) {
  const data: ErrorData["INVALID_ARGUMENT"] = { argument, problem, allowed };
  return fail(
    "INVALID_ARGUMENT",
    meant === undefined
      ? { ...data, hint: `with ${argument} such as ${allowed.join(", ")}` }
      : { ...data, nearest: meant, corrected: { [argument]: meant } },
  );
}
