// Describes the things that a session emulates, as commands to Chrome and in words.
import type { Protocol } from "puppeteer-core";
import { KnownDevices } from "puppeteer-core/internal/common/Device.js";
import type { Emulated } from "../../proto/gen/troupe.ts";

/** A command to one process of a page. */
export interface EmulationCommand {
  method: string;
  params: object;
  /** Only the page's own process takes it, not those of its frames. */
  ofPage?: true;
}

export const NOTHING: Readonly<Emulated> = {
  device: "",
  width: 0,
  height: 0,
  colorScheme: "COLOR_SCHEME_UNSPECIFIED",
  reducedMotion: false,
  locale: "",
  timezone: "",
  geolocation: "",
  offline: false,
  network: "NETWORK_SPEED_UNSPECIFIED",
  cpu: 0,
};

type Device = (typeof KnownDevices)[keyof typeof KnownDevices];

export const DEVICES: readonly string[] = Object.keys(KnownDevices);

/** Returns a device's name as it is written here; undefined if there is none of that name. */
export function deviceName(given: string): string | undefined {
  const plain = given.trim().toLowerCase();
  return DEVICES.find((name) => name.toLowerCase() === plain);
}

function deviceNamed(name: string): Device | undefined {
  return Object.hasOwn(KnownDevices, name) ? KnownDevices[name as keyof typeof KnownDevices] : undefined;
}

/** Parses latitude and longitude in degrees. Returns undefined if the text has others. */
export function positionIn(text: string): { latitude: number; longitude: number } | undefined {
  const [, first, second] = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  const [latitude, longitude] = [Number(first), Number(second)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** Bytes in a second, and milliseconds until the first one. */
const SPEEDS: Partial<Record<Emulated["network"], { bytes: number; latency: number }>> = {
  NETWORK_SPEED_SLOW3G: { bytes: 50_000, latency: 2_000 },
  NETWORK_SPEED_FAST3G: { bytes: 180_000, latency: 562 },
  NETWORK_SPEED_4G: { bytes: 200_000, latency: 165 },
};

/** The parts that are emulated together: the fields that they take, and their commands. */
const PARTS: readonly [
  fields: readonly (keyof Emulated)[],
  commands: (now: Emulated) => EmulationCommand[],
][] = [
  [["device", "width", "height"], screen],
  [
    ["device", "locale"],
    ({ device, locale }) => {
      const agent = {
        userAgent: deviceNamed(device)?.userAgent ?? "",
        ...(locale && { acceptLanguage: locale }),
      };
      return [{ method: "Emulation.setUserAgentOverride", params: agent }];
    },
  ],
  [["colorScheme", "reducedMotion"], media],
  [["locale"], ({ locale }) => [{ method: "Emulation.setLocaleOverride", params: locale ? { locale } : {} }]],
  [
    ["timezone"],
    ({ timezone }) => [{ method: "Emulation.setTimezoneOverride", params: { timezoneId: timezone } }],
  ],
  [["geolocation"], place],
  [["offline", "network"], network],
  [
    ["cpu"],
    ({ cpu }) => [{ method: "Emulation.setCPUThrottlingRate", params: { rate: cpu || 1 }, ofPage: true }],
  ],
];

/** Returns the commands that lead from one state to another. */
export function commandsFor(before: Emulated, now: Emulated): EmulationCommand[] {
  const changed = PARTS.filter(([fields]) => fields.some((field) => before[field] !== now[field]));
  return changed.flatMap(([, commands]) => commands(now));
}

function screen({ device, width, height }: Emulated): EmulationCommand[] {
  const viewport = deviceNamed(device)?.viewport;
  const hasTouch = viewport?.hasTouch === true;
  const touch = { enabled: hasTouch, ...(hasTouch && { maxTouchPoints: 5 }) };
  const metrics: Protocol.Emulation.SetDeviceMetricsOverrideRequest = {
    width: width || (viewport?.width ?? 0),
    height: height || (viewport?.height ?? 0),
    deviceScaleFactor: viewport?.deviceScaleFactor ?? 0,
    mobile: viewport?.isMobile === true,
  };
  return [
    metrics.width > 0
      ? { method: "Emulation.setDeviceMetricsOverride", params: metrics, ofPage: true }
      : { method: "Emulation.clearDeviceMetricsOverride", params: {}, ofPage: true },
    { method: "Emulation.setTouchEmulationEnabled", params: touch, ofPage: true },
  ];
}

function media({ colorScheme, reducedMotion }: Emulated): EmulationCommand[] {
  const scheme = { COLOR_SCHEME_UNSPECIFIED: "", COLOR_SCHEME_LIGHT: "light", COLOR_SCHEME_DARK: "dark" };
  const features = [
    { name: "prefers-color-scheme", value: scheme[colorScheme] },
    { name: "prefers-reduced-motion", value: reducedMotion ? "reduce" : "" },
  ];
  return [{ method: "Emulation.setEmulatedMedia", params: { features } }];
}

function place({ geolocation }: Emulated): EmulationCommand[] {
  const position = positionIn(geolocation);
  return [
    position
      ? { method: "Emulation.setGeolocationOverride", params: { ...position, accuracy: 1 } }
      : { method: "Emulation.clearGeolocationOverride", params: {} },
  ];
}

function network({ offline, network: speed }: Emulated): EmulationCommand[] {
  const { bytes = -1, latency = 0 } = SPEEDS[speed] ?? {};
  const params = { offline, latency, downloadThroughput: bytes, uploadThroughput: bytes };
  return [{ method: "Network.emulateNetworkConditions", params }];
}

/** For example: `Emulated in all tabs of this session: iPhone 15, dark colours`. */
export function emulatedWords(now: Emulated): string {
  const { device, width, height, colorScheme, reducedMotion, locale, timezone, geolocation, offline, cpu } =
    now;
  const speed = now.network.replace("NETWORK_SPEED_", "").toLowerCase();
  const words = [
    device,
    width > 0 && `${width} x ${height} pixels`,
    colorScheme !== "COLOR_SCHEME_UNSPECIFIED" &&
      `${colorScheme === "COLOR_SCHEME_DARK" ? "dark" : "light"} colours`,
    reducedMotion && "reduced motion",
    locale && `locale ${locale}`,
    timezone && `time zone ${timezone}`,
    geolocation && `position ${geolocation}`,
    offline && "no network",
    SPEEDS[now.network] && `${speed} network`,
    cpu > 1 && `scripts ${cpu} times slower`,
  ].filter(Boolean);
  return words.length > 0
    ? `Emulated in all tabs of this session: ${words.join(", ")}`
    : "Nothing is emulated";
}
