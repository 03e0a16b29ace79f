// Every call of a check to the room shows the token of administrators, unless it shows another.
const home = process.env.DENIZEN_URL;
const token = process.env.DENIZEN_TOKEN;
const plain = globalThis.fetch;

globalThis.fetch = (address, options = {}) => {
  const headers = new Headers(options.headers);
  if (token && String(address).startsWith(home) && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
  return plain(address, { ...options, headers });
};
