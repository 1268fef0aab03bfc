// Fingers: taps and holds on elements that carry data-tap or data-hold.
// A touch counts only if the screen under it stayed the same from down to up, and never within
// the dead time after a change: the second tap of a double tap must not hit the next screen.
// What changes nothing at the table (data-always) is free of both.

export const HOLD_MS = 1500;
const DEAD_MS = 400;

export class Touch {
  #act;
  #key = "";
  #deadUntil = 0;
  #down = null; // {name, hold, always, at}

  constructor(root, act) {
    this.#act = act;
    root.addEventListener("pointerdown", (event) => this.#press(event));
    root.addEventListener("pointerup", (event) => this.#release(event));
    root.addEventListener("pointercancel", () => (this.#down = null));
    root.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  // Called with what identifies the screen; another key lets go of everything and goes dead.
  screen(key, now) {
    if (key === this.#key) return;
    this.#key = key;
    this.#deadUntil = now + DEAD_MS;
    if (!this.#down?.always) this.#down = null;
  }

  dead(now) {
    return now < this.#deadUntil;
  }

  #press(event) {
    const now = performance.now();
    const target = named(event);
    if (target === null || (this.dead(now) && !target.always)) return;
    target.element.releasePointerCapture?.(event.pointerId);
    this.#down = { name: target.name, hold: target.hold, always: target.always, at: now };
  }

  #release(event) {
    const down = this.#down;
    this.#down = null;
    if (down !== null && !down.hold && named(event)?.name === down.name) this.#act(down.name);
  }

  // How much of its time the held button has been held, or null. Acts when the time is full.
  held(now) {
    const down = this.#down;
    if (down === null || !down.hold) return null;
    const part = (now - down.at) / HOLD_MS;
    if (part < 1) return { name: down.name, part };
    this.#down = null;
    this.#act(down.name);
    return null;
  }
}

function named(event) {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const element = under?.closest("[data-tap], [data-hold]");
  if (!element || element.disabled) return null;
  const hold = element.hasAttribute("data-hold");
  const always = element.hasAttribute("data-always");
  return { element, hold, always, name: element.getAttribute(hold ? "data-hold" : "data-tap") };
}
