// Recognises transitions that only colour a control. Their end brings something only to a script that listens for it.
import { isOf, ofRoles } from "../dom/role-selector.ts";

const COLOURS = /^(?!--)(?:(?:[a-z-]+-)?color|box-shadow|text-shadow|fill|stroke)$/;
/** A popup may wait for all transitions on itself before it goes. So what only takes the focus does not count. */
const CONTROLS = ofRoles(
  "button link checkbox radio switch tab option menuitem",
  "a[href], button, input, select, textarea, summary, label",
);

export interface Colours {
  /**
   * Begins a wait. `areHeard`: a script listens for transitions, so that all are awaited. `isAnswered` reports if the
   * page has done what it does at the action. Otherwise a script may wait for the end of what it began.
   */
  begin(areHeard: boolean, isAnswered: () => boolean): void;
  /** Returns the animations to wait for. */
  awaited(animations: readonly Animation[]): readonly Animation[];
  /** Reports if others were left out the last time. */
  areLeft(): boolean;
}

export function createColours(): Colours {
  let mustWait = () => false;
  let areLeft = false;
  return {
    begin(areHeard, isAnswered) {
      mustWait = () => areHeard || !isAnswered();
      areLeft = false;
    },
    awaited(animations) {
      const awaited = mustWait() ? animations : animations.filter((animation) => !isOnlyColour(animation));
      areLeft = awaited.length < animations.length;
      return awaited;
    },
    areLeft: () => areLeft,
  };
}

/** A script holds each animation that it began itself. */
function isOnlyColour(animation: Animation): boolean {
  const { effect } = animation;
  if (!(animation instanceof CSSTransition) || !(effect instanceof KeyframeEffect)) return false;
  const { target } = effect;
  return target !== null && COLOURS.test(animation.transitionProperty) && isOf(target, CONTROLS);
}
