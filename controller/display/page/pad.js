// The pad that a halt's exit may need: count the felt and the deck, or name a card.
// `Entry` is what has been typed; `drawPad` draws it.

import { drawCard, suitSign } from "./cards.js";
import { h, svg } from "./dom.js";

const MOST_DIGITS = 2;
const RANKS = [..."A234567JQK"];
const SUITS = [..."DCSB"];

export class Entry {
  constructor(button) {
    this.button = button;
    this.fields = button.count ? { felt: "", out: "" } : {};
    this.field = button.count ? "felt" : null;
    this.rank = "";
    this.suit = "";
  }

  tap(key) {
    const [kind, value] = key.split(".");
    if (kind === "field") this.field = value;
    else if (kind === "rank") this.rank = value;
    else if (kind === "suit") this.suit = value;
    else if (kind === "erase") this.fields[this.field] = this.fields[this.field].slice(0, -1);
    else if (kind === "digit") this.#digit(value);
  }

  #digit(digit) {
    const before = this.fields[this.field] === "0" ? "" : this.fields[this.field];
    if (before.length < MOST_DIGITS) this.fields[this.field] = before + digit;
  }

  get complete() {
    const counted = Object.values(this.fields).every((typed) => typed !== "");
    return counted && (!this.button.name_card || (this.rank !== "" && this.suit !== ""));
  }

  // What goes with the press.
  get given() {
    const numbers = Object.entries(this.fields).map(([name, typed]) => [name, Number(typed)]);
    const card = this.button.name_card ? { card: this.rank + this.suit } : {};
    return { ...Object.fromEntries(numbers), ...card };
  }
}

export function drawPad(words, entry) {
  return [
    entry.button.name_card ? drawNamer(words, entry) : null,
    entry.button.count ? drawCounter(words, entry) : null,
  ];
}

function drawCounter(words, entry) {
  const field = (name) =>
    h(
      "button",
      { class: "field", "data-tap": `pad.field.${name}`, "aria-pressed": String(entry.field === name) },
      h("span", {}, name === "felt" ? words.page.felt : words.page.out),
      h("output", { id: `count-${name}` }, entry.fields[name] || "–"),
    );
  const digit = (n) => h("button", { "data-tap": `pad.digit.${n}` }, String(n));
  return h(
    "div",
    { class: "counter" },
    h("div", { class: "fields" }, field("felt"), field("out")),
    h(
      "div",
      { class: "digits" },
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map(digit),
      h("button", { class: "erase", "data-tap": "pad.erase" }, words.page.erase),
      digit(0),
    ),
  );
}

function drawNamer(words, entry) {
  const chosen = entry.rank && entry.suit ? drawCard(words, entry.rank + entry.suit) : "";
  const rank = (r) =>
    h(
      "button",
      { "data-tap": `pad.rank.${r}`, "aria-label": words.rank[r], "aria-pressed": String(r === entry.rank) },
      r,
    );
  const suit = (s) =>
    h(
      "button",
      { class: "suit", "data-tap": `pad.suit.${s}`, "aria-pressed": String(s === entry.suit) },
      svg("svg", { viewBox: "0 0 30 30", "aria-hidden": "true" }, suitSign(s)),
      h("span", {}, words.suit[s]),
    );
  return h(
    "div",
    { class: "namer" },
    h("div", { class: "chosen" }, h("span", {}, words.page.which_card), chosen),
    h("div", { class: "ranks" }, RANKS.map(rank)),
    h("div", { class: "suits" }, SUITS.map(suit)),
  );
}
