// A state of the debugger in the address: everything it takes to be there again, deflated, behind the #.

const MOST = 2_000_000; // characters of what a link unfolds to
const STEPS = 100_000;

// ["shift", "shift", "no-arc"] → "shift*2 no-arc"
export function folded(names) {
  const parts = [];
  for (let k = 0; k < names.length; ) {
    let last = k;
    while (names[last + 1] === names[k]) last++;
    parts.push(last > k ? `${names[k]}*${last - k + 1}` : names[k]);
    k = last + 1;
  }
  return parts.join(" ");
}

export function unfolded(text) {
  const names = [];
  for (const part of text.split(" ").filter(Boolean)) {
    const [name, count] = part.split("*");
    const times = count === undefined ? 1 : Number(count);
    if (!(Number.isInteger(times) && times > 0) || names.length + times > STEPS) throw new Error("found a link with too many steps, expected the whole link as it was copied");
    for (let k = 0; k < times; k++) names.push(name);
  }
  return names;
}

export async function toLink(state) {
  const bytes = new TextEncoder().encode(JSON.stringify({ ...state, transitions: folded(state.transitions || []) }));
  const packed = await through(bytes, new CompressionStream("deflate-raw"), MOST);
  return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function fromLink(text) {
  let state;
  try {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(Uint8Array.from(plain, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"), MOST);
    state = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error("found a link that is cut off or damaged, expected the whole link as it was copied");
  }
  if (typeof state !== "object" || state === null || typeof state.conllu !== "string") throw new Error("found a link without a sentence, expected the whole link as it was copied");
  return { ...state, transitions: unfolded(String(state.transitions || "")) };
}

async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const pieces = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) { reader.cancel(); throw new Error("too large"); }
    pieces.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) { all.set(piece, at); at += piece.length; }
  return all;
}
