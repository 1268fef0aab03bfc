// The page of a guided calibration: shows picture, sentence and buttons, sends presses and clicks.
// It knows nothing of what is calibrated. A picture or state that does not come is said.

const byId = (id) => document.getElementById(id);
const POLL_MS = 300;
let clicked = [];
let shown = "";

byId("clicks").addEventListener("click", (event) => {
  const box = byId("clicks").getBoundingClientRect();
  clicked.push([(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]);
  drawClicks();
  enable();
});

function drawClicks() {
  const points = clicked.map(([x, y]) => `${x},${y}`).join(" ");
  byId("clicks").innerHTML = clicked.length ? `<polygon points="${points}"></polygon>` : "";
}

function enable() {
  for (const button of byId("buttons").children) {
    button.disabled = Number(button.dataset.points) > 0 && clicked.length !== Number(button.dataset.points);
  }
}

async function press(button) {
  const body = JSON.stringify({ do: button.do, points: button.points ? clicked : [] });
  clicked = [];
  drawClicks();
  const answer = await fetch("/do", {
    method: "POST", headers: { "Content-Type": "application/json" }, body,
  });
  if (answer.ok) show(await answer.json());
}

function show(state) {
  byId("sentence").textContent = state.camera ? `No picture: ${state.camera}` : state.sentence;
  byId("problem").textContent = state.problem;
  const key = JSON.stringify(state.buttons);
  if (key !== shown) {
    shown = key;
    clicked = [];
    drawClicks();
    byId("buttons").replaceChildren(...state.buttons.map((button) => {
      const element = document.createElement("button");
      element.textContent = button.points
        ? `${button.label} (${button.points} clicks)` : button.label;
      element.dataset.points = button.points;
      element.addEventListener("click", () => press(button));
      return element;
    }));
  }
  enable();
}

async function look() {
  let over = false;
  try {
    const state = await (await fetch("/state")).json();
    over = state.done;
    show(state);
    const picture = await fetch("/picture.jpg");
    if (picture.ok) {
      const old = byId("picture").src;
      byId("picture").src = URL.createObjectURL(await picture.blob());
      if (old) URL.revokeObjectURL(old);
    }
  } catch {
    byId("problem").textContent = "The calibration does not answer: is it still running?";
  }
  if (!over) setTimeout(look, POLL_MS);
}

look();
