// The files of the page, which its server has, or which are inside the page.

function inside(name) {
  return document.getElementById(`inlined-${name}`)?.textContent;
}

// Returns the bytes of a file. An error may have a remedy.
export async function bytes(name) {
  const text = inside(name);
  if (text === undefined && location.protocol === "file:") {
    const remedy = "Open kingline.html, which contains everything, or put this folder on a server.";
    throw Object.assign(new Error("browsers do not load it for a page that is opened from a folder"), { remedy });
  }
  if (text !== undefined) return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

// Starts a worker. A page in a folder may not load one, but may make one from a text.
export function worker() {
  const text = inside("worker.js");
  if (text === undefined) return new Worker("worker.js");
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const started = new Worker(address);
  URL.revokeObjectURL(address);
  return started;
}
