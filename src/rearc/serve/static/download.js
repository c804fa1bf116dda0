// Files to keep: what the server draws, or what is there already. Nothing is sent anywhere else.

import { postForText } from "./api.js";
import { el } from "./dom.js";

const MOST = 16_000; // pixels a side, as far as browsers draw

export function saveBlob(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export const saveText = (text, name, type) => saveBlob(new Blob([text], { type: `${type};charset=utf-8` }), name);

export async function save(to, conllu, name) {
  saveText(await postForText("page/file", { conllu, to }), name, to === "svg" ? "image/svg+xml" : "application/json");
}

export async function savePng(conllu, name) {
  const text = await postForText("page/file", { conllu, to: "svg" });
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    await new Promise((done, failed) => {
      image.onload = done;
      image.onerror = () => failed(new Error("this browser does not draw the picture; download it as SVG"));
      image.src = address;
    });
    const scale = Math.min(2, MOST / image.width, MOST / image.height);
    const canvas = el("canvas", { width: Math.ceil(image.width * scale), height: Math.ceil(image.height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
    if (!blob) throw new Error("this browser has no room for the picture; download it as SVG");
    saveBlob(blob, name);
  } finally {
    URL.revokeObjectURL(address);
  }
}
