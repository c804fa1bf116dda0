// Questions to the server. An answer that is no success becomes an Error with what the server says.

async function answer(response) {
  if (response.ok) return response;
  let text = `the server answered ${response.status}`;
  try {
    const content = await response.json();
    text = content.error?.message || content.error || content.detail || text;
  } catch {
    // no JSON: the status says it
  }
  throw new Error(text);
}

async function ask(path, settings) {
  let response;
  try {
    response = await fetch(path, settings);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the server does not answer; is rearc serve still running?");
  }
  return answer(response);
}

export const get = async (path, signal) => (await ask(path, { signal })).json();

const posting = (body, signal) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });

export const post = async (path, body, signal) => (await ask(path, posting(body, signal))).json();

export const postForText = async (path, body, signal) => (await ask(path, posting(body, signal))).text();

// Of several questions of one kind the last counts; those before are given up.
export function latest() {
  let controller = null;
  return () => {
    controller?.abort();
    controller = new AbortController();
    return controller.signal;
  };
}

export const isAborted = (error) => error.name === "AbortError";
