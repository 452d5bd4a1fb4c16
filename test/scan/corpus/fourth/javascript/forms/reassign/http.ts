export async function getJson(path: string, init?: RequestInit) {
  const request = new Request(new URL(path, process.env.ORIGIN), init);
  const response = await fetch(request);
  return response.json();
}
