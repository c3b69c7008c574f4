// All listeners of the bridge's own are added here and counted: Chrome counts those of all worlds together.

const { addEventListener, removeEventListener } = EventTarget.prototype;
let made = 0;

export function listen(
  target: EventTarget,
  type: string,
  listener: EventListenerOrEventListenerObject,
  options: AddEventListenerOptions,
): void {
  made++;
  addEventListener.call(target, type, listener, options);
}

export function stopListening(
  target: EventTarget,
  type: string,
  listener: EventListenerOrEventListenerObject,
  options?: EventListenerOptions,
): void {
  // Chrome makes a listener of what it is to look for.
  made++;
  removeEventListener.call(target, type, listener, options);
}

/** How many have been made so far. Chrome's count falls when it clears away those that have been removed. */
export function listenersMade(): number {
  return made;
}
