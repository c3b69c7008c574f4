// Adds and counts all listeners of the bridge. Chrome counts the listeners of all worlds together.

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
  // Chrome makes a listener even to find the one that it removes.
  made++;
  removeEventListener.call(target, type, listener, options);
}

/** Returns how many listeners were made so far. Chrome's count falls when it clears away removed ones. */
export function listenersMade(): number {
  return made;
}
