/**
 * What the server of the page answers.
 * @param {string} path @param {"GET"|"POST"} [method] @param {"json"|"text"} [form]
 */
export async function ask(path, method = "GET", form = "json") {
  const response = await fetch(path, { method, cache: "no-store" });
  if (!response.ok) throw new Error(`${response.status}`);
  return response[form]();
}
