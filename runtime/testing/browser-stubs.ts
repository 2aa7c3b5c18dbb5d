// The few browser globals that a render may read. All others are missing on purpose, so that using one is found.
const storage = {
  length: 0,
  getItem: () => null,
  setItem: () => {},
  removeItem: () => {},
  clear: () => {},
  key: () => null,
}
const media = { matches: false, addEventListener: () => {}, removeEventListener: () => {} }

const stubs: Record<string, unknown> = {
  window: globalThis,
  localStorage: storage,
  sessionStorage: storage,
  location: new URL('http://app.test/'),
  matchMedia: () => media,
}
for (const [name, value] of Object.entries(stubs)) {
  if (!(name in globalThis))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}
