// Arcs that a parse has to keep: dragged from head to dependent in the picture, or chosen from lists.

import { byId, el, options, svg } from "./dom.js";

// fix(head, dependent) is called when an arc has been dragged.
export function dragging(picture, fix) {
  if (!fix) return;
  const { root } = picture;
  root.classList.add("can-drag");
  for (const node of picture.nodes) {
    node.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      const head = Number(node.dataset.word);
      const line = root.appendChild(svg("path", { class: "drag" }));
      node.classList.add("from");
      const at = (e) => { const box = root.getBoundingClientRect(); return [e.clientX - box.left, e.clientY - box.top]; };
      const [x, y] = [picture.placed.x[head], picture.ground];
      const over = (e) => document.elementFromPoint(e.clientX, e.clientY)?.closest("[data-word]");
      let target = null;
      const move = (e) => {
        const [ex, ey] = at(e);
        line.setAttribute("d", `M${x} ${y}Q${(x + ex) / 2} ${Math.min(y, ey) - 60} ${ex} ${ey}`);
        target?.classList.remove("to");
        target = over(e);
        if (target && target !== node) target.classList.add("to");
      };
      const end = (e) => {
        for (const [name, action] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) window.removeEventListener(name, action);
        line.remove();
        node.classList.remove("from");
        const last = e.type === "pointerup" ? over(e) : null;
        target?.classList.remove("to");
        if (last && last !== node && root.contains(last)) fix(head, Number(last.dataset.word));
      };
      for (const [name, action] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) window.addEventListener(name, action);
    });
  }
}

let add = () => {};
byId("fix")?.addEventListener("click", () => add(Number(byId("fix-head").value), Number(byId("fix-dependent").value)));

// The lists to choose from, and what is fixed already.
export function fixer(words, fixed, fix, unfix) {
  add = fix;
  const entries = words.map((word, k) => ({ value: String(k + 1), text: `${k + 1} ${word.form}` }));
  const [head, dependent] = [byId("fix-head"), byId("fix-dependent")];
  const chosen = [head.value, dependent.value];
  options(head, [{ value: "0", text: "root" }, ...entries], chosen[0]);
  options(dependent, entries, chosen[1]);
  const form = (w) => (w ? words[w - 1].form : "root");
  byId("fixed").replaceChildren(
    ...fixed.map(([d, h]) =>
      el("li", {}, `${form(h)} → ${form(d)} `, el("button", { type: "button", "aria-label": `Free the head of ${form(d)}`, click: () => unfix(d) }, "✕"))),
  );
}
