// A card as we draw it: rank letter and suit, readable from its left edge when cards overlap.
// The more cards a hand has, the narrower what is seen of each, and its index with it.

import { fill, h, svg } from "./dom.js";

export function cardName(words, card) {
  return fill(words.page.of_suit, { rank: words.rank[card[0]], suit: words.suit[card[1]] });
}

export function suitSign(suit, place = {}) {
  return svg("use", { href: `#suit-${suit}`, width: 30, height: 30, ...place });
}

// {most: cards of the hand, middle and letter: of the index, sign: of its suit}
const INDEXES = [
  { most: 4, middle: 24, letter: 46, sign: 34 },
  { most: 7, middle: 15, letter: 29, sign: 25 },
  { most: Infinity, middle: 11.5, letter: 23, sign: 19 },
];

export function drawCard(words, card, among = 1) {
  const [rank, suit] = card;
  const { middle, letter, sign } = INDEXES.find((index) => among <= index.most);
  const text = svg("text", { x: middle, y: 46, class: `rank suit-${suit}`, "font-size": letter });
  text.textContent = rank;
  return svg(
    "svg",
    { viewBox: "0 0 100 150", class: "card", role: "img", "aria-label": cardName(words, card) },
    svg("rect", { x: 1, y: 1, width: 98, height: 148, rx: 9, class: "face" }),
    text,
    suitSign(suit, { x: middle - sign / 2, y: 54, width: sign, height: sign }),
    suitSign(suit, { x: 30, y: 76, width: 66, height: 66 }),
  );
}

function drawBack(words) {
  return svg(
    "svg",
    { viewBox: "0 0 100 150", class: "card back", role: "img", "aria-label": words.page.face_down },
    svg("rect", { x: 1, y: 1, width: 98, height: 148, rx: 9, class: "face" }),
    svg("rect", { x: 10, y: 10, width: 80, height: 130, rx: 5, class: "weave" }),
  );
}

// A seat at a table where everyone has a hand: backs for what lies face down, then the faces.
export function drawSeat(words, hand) {
  const n = hand.down + hand.cards.length;
  const title = fill(hand.second ? words.page.seat_split : words.page.seat, { n: hand.seat });
  const told = hand.outcome ? words.seat_outcome[hand.outcome] : hand.stood ? words.page.stood : "";
  return h(
    "section",
    { class: `seat ${hand.turn ? "turn" : ""} ${hand.bust ? "bust" : ""}` },
    h(
      "header",
      {},
      h("h2", {}, hand.turn ? `▶ ${title}` : title),
      hand.bank ? h("span", { class: "mark royal" }, words.page.bank) : null,
      h("output", { class: "value" }, hand.points),
    ),
    h(
      "div",
      { class: "cards", "--n": String(n) },
      Array.from({ length: hand.down }, () => drawBack(words)),
      hand.cards.map((card) => drawCard(words, card, n)),
    ),
    h(
      "footer",
      {},
      h("span", {}, hand.net ? "" : hand.stake && fill(words.page.stake, { n: hand.stake })),
      h("span", {}, told),
      h("b", {}, hand.net),
    ),
  );
}

export function drawHand(words, name, hand) {
  const marks = [];
  if (hand.royal) marks.push(h("span", { class: "mark royal" }, words.page.royal));
  else if (hand.wild) marks.push(h("span", { class: "mark" }, `${words.page.wild} = ${hand.wild}`));
  return h(
    "section",
    { class: `hand ${name}`, "--n": String(hand.cards.length) },
    h(
      "header",
      {},
      h("h2", {}, name === "dealer" ? words.page.dealer : words.page.position),
      h("output", { class: "points", "data-fit": true }, hand.cards.length ? hand.points : "–"),
      ...marks,
    ),
    h(
      "div",
      { class: "cards", "--n": String(hand.cards.length) },
      hand.cards.map((card) => drawCard(words, card, hand.cards.length)),
    ),
  );
}
