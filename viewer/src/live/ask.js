/** What the server of the page answers. @param {string} path @param {"GET"|"POST"} [method] */
export async function ask(path, method = "GET") {
  const response = await fetch(path, { method, cache: "no-store" });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}
