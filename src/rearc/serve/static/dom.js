// Elements, made one by one. Text goes in as text nodes alone, so it never becomes markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

export const byId = (id) => document.getElementById(id);

export function options(select, entries, chosen) {
  select.replaceChildren(...entries.map((entry) => el("option", { value: entry.value }, entry.text)));
  if (chosen !== undefined && entries.some((entry) => entry.value === chosen)) select.value = chosen;
}

export function say(place, text, isError = false) {
  place.textContent = text;
  place.hidden = !text;
  place.classList.toggle("error", isError);
}

export function later(action, milliseconds) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), milliseconds);
  };
}
