// What is said of a derivation in words, in a strip of marks, and in a table.

import { el, svg } from "./dom.js";

const ROWS = 600; // of the table of all steps

const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

export function verdict({ mistake, wrong, words, gold, model, terminal }) {
  if (!gold) return "";
  const who = model ? "The parser" : "This way";
  const said = mistake
    ? [`${who} first goes wrong at step ${mistake.step + 1}: ${mistake.transition}${mistake.cost ? ` costs ${many(mistake.cost, "arc")}` : ""}; ${mistake.better.join(" or ")} would be optimal.`]
    : [`${who} makes no mistake.`];
  if (wrong && terminal) {
    said.push(wrong.heads.length ? `In the end ${wrong.heads.length} of ${many(wrong.of, "head")} ${wrong.heads.length === 1 ? "is" : "are"} wrong: ${wrong.heads.map((d) => words[d - 1].form).join(", ")}.` : "In the end all heads are right.");
    if (wrong.labels.length) said.push(`${many(wrong.labels.length, "label")} ${wrong.labels.length === 1 ? "is" : "are"} wrong.`);
  }
  return said.join(" ");
}

export function spoken(derivation, frame, position) {
  const form = (w) => (w ? derivation.words[w - 1].form : "root");
  const arcs = (list) => list.map(([h, d, label]) => `${form(h)} → ${form(d)}${label ? ` (${label})` : ""}`).join(", ");
  const said = [`Step ${position} of ${derivation.steps.length}.`];
  const last = derivation.steps[position - 1];
  if (last) {
    said.push(`${last.transition}, chosen by ${last.by === "you" ? "you" : `the ${last.by}`}.`);
    if (frame.added.length) said.push(`Added: ${arcs(frame.added)}.`);
    if (frame.removed.length) said.push(`Taken back: ${arcs(frame.removed)}.`);
    if (last.cost) said.push(`It cost ${last.cost}.`);
  }
  if (frame.loss !== null) said.push(`Loss: ${frame.loss}.`);
  if (frame.terminal) said.push("This is the end.");
  return said.join(" ");
}

export function marks(strip, { steps }) {
  strip.setAttribute("viewBox", `0 0 ${Math.max(1, steps.length)} 10`);
  const found = [];
  steps.forEach((step, k) => {
    const kind = step.wrong ? "wrong" : step.removed.length ? "back" : step.by === "you" ? "yours" : null;
    if (kind) found.push(svg("rect", { class: kind, x: k, y: 0, width: 1, height: 10 }));
  });
  strip.replaceChildren(...found);
}

export function allSteps(body, { steps, words }, go) {
  const form = (w) => (w ? words[w - 1].form : "root");
  const arcs = (list) => list.map(([h, d, label]) => `${form(h)} → ${form(d)}${label ? ` ${label}` : ""}`).join(", ");
  const text = (value) => (value === null || value === undefined ? "–" : String(value));
  const rows = steps.slice(0, ROWS).map((step, k) =>
    el("tr", { class: step.wrong ? "wrong" : null },
      el("td", { class: "number" }, el("button", { type: "button", "aria-label": `Go to step ${k + 1}`, click: () => go(k + 1) }, String(k + 1))),
      el("td", {}, step.transition, step.by === "you" ? el("span", { class: "badge yours" }, "yours") : null),
      el("td", { class: "number" }, text(step.cost)), el("td", { class: "number" }, text(step.loss)),
      el("td", { dir: "auto" }, arcs(step.added)), el("td", { dir: "auto", class: "back" }, arcs(step.removed))));
  if (steps.length > ROWS) rows.push(el("tr", {}, el("td", { colspan: "6" }, `and ${steps.length - ROWS} more`)));
  body.replaceChildren(...rows);
}
